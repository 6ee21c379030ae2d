package org.ulfmj.testkit;

/** How a process of a {@link LocalWorld}, or of a simulated world, came to its end. */
public enum RankEnd {
    /** The main returned after Finalize. */
    FINALIZED,
    /** The main returned without Finalize, which counts as a failure at the other ranks. */
    RETURNED,
    /** The main threw, which counts as a failure at the other ranks. */
    THREW,
    /** A fault of the test killed the rank. */
    KILLED,
    /** The rank has left after a preemption, as by SIGTERM, for which its program has a handler. */
    PREEMPTED,
    /** The rank has ended itself, for example because other ranks had marked it failed although it was alive. */
    FENCED,
    /**
     * The launcher, or another rank in a simulated world whose launcher is dead, ended the rank, because nothing was
     * heard of it, or because it and another live rank did not hear each other.
     */
    SILENCED,
    /**
     * The process was started to replace a dead one or to join, and the world went on without it; or no process took
     * this rank.
     */
    NOT_ADMITTED,
    /**
     * The rank, or another one, called {@code abort}, or an error handler ended the job, or a simulated run was ended
     * before the process had ended.
     */
    ABORTED,
    /** An invariant of the runtime does not hold: a bug in this library. */
    BROKEN
}
