package org.ulfmj.runtime.message;

/** MPI's send modes. */
public enum SendMode {
    STANDARD,
    /** Complete only after the receive has started. */
    SYNCHRONOUS,
    /** The program says that the receive is posted already; treated as {@link #STANDARD}. */
    READY,
    /** The send is complete at once: what has not left by then is copied. */
    BUFFERED
}
