package org.ulfmj.runtime.options;

/** The actions on a rank that is taken for hung ({@code ulfm.silence.action}); in the order of the option's choices. */
public enum SilenceAction {
    /** The job is ended. */
    ABORT,
    /** The rank is killed, and the others go on as after any failure. */
    FAIL,
    /** A line says so. */
    REPORT
}
