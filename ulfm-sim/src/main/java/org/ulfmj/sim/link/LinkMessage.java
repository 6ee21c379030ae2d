package org.ulfmj.sim.link;

import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;

/** What goes over a connection, without the proofs. */
sealed interface LinkMessage {
    /** Acceptor, first of all. */
    record Challenge() implements LinkMessage {}

    record Hello(LinkHello hello) implements LinkMessage {}

    record Ok(LinkOk ok) implements LinkMessage {}

    record Refusal(LinkRefusal refusal) implements LinkMessage {}

    /**
     * A frame.
     *
     * @param number the sender's own count of frames for this peer, from 1: what the session must carry over unchanged
     * @param atOnce whether the sender waits for the acknowledgement
     * @param goodbye whether it is the last word
     */
    record Data(long sequence, long ackUpTo, long number, boolean atOnce, boolean goodbye) implements LinkMessage {}

    record Ack(long upTo) implements LinkMessage {}

    record YouFailed() implements LinkMessage {}

    /** The other end will write no more. */
    record EndOfFile() implements LinkMessage {}
}
