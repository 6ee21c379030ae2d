package org.ulfmj.check.link;

import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;

/** The messages on a connection, without the proofs. */
sealed interface LinkMessage {
    /** A number per kind of message, for the log's hash. */
    int kind();

    /** Acceptor to dialer, the first message. */
    record Challenge() implements LinkMessage {
        @Override
        public int kind() {
            return 1;
        }
    }

    record Hello(LinkHello hello) implements LinkMessage {
        @Override
        public int kind() {
            return 2;
        }
    }

    record Ok(LinkOk ok) implements LinkMessage {
        @Override
        public int kind() {
            return 3;
        }
    }

    record Refusal(LinkRefusal refusal) implements LinkMessage {
        @Override
        public int kind() {
            return 4;
        }
    }

    /**
     * A frame.
     *
     * @param number the sender's count of frames for this peer, from 1, which the session must carry over unchanged
     * @param atOnce whether the sender waits for the acknowledgement
     * @param goodbye whether the frame is the goodbye
     */
    record Data(long sequence, long ackUpTo, long number, boolean atOnce, boolean goodbye) implements LinkMessage {
        @Override
        public int kind() {
            return 5;
        }
    }

    record Ack(long upTo) implements LinkMessage {
        @Override
        public int kind() {
            return 6;
        }
    }

    record YouFailed() implements LinkMessage {
        @Override
        public int kind() {
            return 7;
        }
    }

    /** The other end will write no more. */
    record EndOfFile() implements LinkMessage {
        @Override
        public int kind() {
            return 8;
        }
    }
}
