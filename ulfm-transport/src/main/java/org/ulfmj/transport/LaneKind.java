package org.ulfmj.transport;

/** The two lanes of an ordered pair of ranks. */
public enum LaneKind {
    /** Protocol frames: a sender always has room for them, and they overtake data frames that are not written yet. */
    CONTROL,
    /** The program's messages. */
    DATA
}
