package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;

/** Bytes of a message on the wire, by the shipped codec. */
final class MessageSize {
    private MessageSize() {}

    static int of(ControlMessage message) {
        return ControlCodec.encode(message).length;
    }
}
