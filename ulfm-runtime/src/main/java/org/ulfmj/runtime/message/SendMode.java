package org.ulfmj.runtime.message;

/** MPI's send modes. */
public enum SendMode {
    STANDARD,
    /** Complete only after the receive has started. */
    SYNCHRONOUS,
    /** The receive is already posted; treated as {@link #STANDARD}. */
    READY,
    /** Complete at once: what cannot leave is copied. */
    BUFFERED
}
