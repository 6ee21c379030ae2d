package org.ulfmj.transport;

/** The two lanes of an ordered pair of ranks. */
public enum LaneKind {
    /** Protocol frames; never blocked by data and always dispatched first. */
    CONTROL,
    /** The program's messages. */
    DATA
}
