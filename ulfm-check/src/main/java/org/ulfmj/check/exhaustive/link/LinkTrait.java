package org.ulfmj.check.exhaustive.link;

/** What sets a small world of links apart, beside its numbers. */
enum LinkTrait {
    /** Both processes leave once they have sent their frames. */
    LEAVES,
    /** A launcher tells each process of the end of the other. */
    TOLD,
    /** Each process waits with a frame for the other's frame before it, as for credit; the lower slot begins. */
    IN_TURN,
    /** A message may take longer than the pauses before the next dial and before an acknowledgement. */
    SLOW,
    /** Nothing that the lower slot writes on the connections that it has dialed arrives. */
    ONE_WAY
}
