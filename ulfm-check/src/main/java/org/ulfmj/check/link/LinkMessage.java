package org.ulfmj.check.link;

import java.util.List;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;

/** The messages on a simulated connection, without the cryptographic proofs. */
public sealed interface LinkMessage {
    /** The kinds of messages, in the order of their numbers. */
    List<Class<? extends LinkMessage>> KINDS = List.of(
            Challenge.class,
            Hello.class,
            Ok.class,
            Refusal.class,
            Data.class,
            Ack.class,
            YouFailed.class,
            EndOfFile.class);

    /** Returns a number per kind of message, for the log's hash. */
    default int kind() {
        return KINDS.indexOf(getClass()) + 1;
    }

    /** The first message on a connection, from the acceptor to the dialer. */
    record Challenge() implements LinkMessage {}

    record Hello(LinkHello hello) implements LinkMessage {}

    record Ok(LinkOk ok) implements LinkMessage {}

    record Refusal(LinkRefusal refusal) implements LinkMessage {}

    /**
     * A frame.
     *
     * @param number the sender's count of frames for this peer, from 1
     * @param atOnce whether the sender asks to have the frame acknowledged at once
     * @param goodbye whether the frame is the goodbye
     */
    record Data(long sequence, long ackUpTo, long number, boolean atOnce, boolean goodbye) implements LinkMessage {}

    record Ack(long upTo) implements LinkMessage {}

    record YouFailed() implements LinkMessage {}

    /** The end of the stream: the end of the connection that sends this will write no more. */
    record EndOfFile() implements LinkMessage {}
}
