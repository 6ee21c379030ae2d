package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;

/** The number of bytes that the shipped codec makes of a control message; the frame's header is not counted. */
final class MessageSize {
    private MessageSize() {}

    static int of(ControlMessage message) {
        return ControlCodec.encode(message).length;
    }
}
