package org.ulfmj.check.exhaustive.link;

/** A special feature of a small world of links. */
enum LinkTrait {
    /** Each process leaves at some time after both have offered their frames. */
    LEAVES,
    /** A launcher tells each process of the end of the other. */
    TOLD,
    /**
     * Each process sends a frame only after the frame of the other before it has arrived, as if it waited for credit;
     * the lower slot begins.
     */
    IN_TURN,
    /** A message may take longer than the pauses before the next dial and before an acknowledgement. */
    SLOW,
    /** What the lower slot writes on connections that it has dialed never arrives. */
    ONE_WAY
}
