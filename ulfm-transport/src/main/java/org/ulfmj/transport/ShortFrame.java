package org.ulfmj.transport;

import java.nio.ByteBuffer;

/** Short messages of media whose lanes hold whole frames: what a {@link ShortPath} takes for itself, and copies. */
public final class ShortFrame {
    private ShortFrame() {}

    /**
     * Copies the message of a frame that was received, if it is the one that is asked for and fits; the frame stays as
     * it is.
     *
     * @return as {@link ShortPath#receive}, but for {@link ShortPath#NOTHING}
     */
    public static int read(Frame frame, int stream, long communicator, int source, int tag, Payload into) {
        boolean isAsked = FrameLayout.isBrief(frame)
                && frame.stream() == stream
                && frame.communicator() == communicator
                && frame.source() == source
                && (tag == ShortPath.ANY_TAG || frame.tag() == tag);
        if (!isAsked || frame.payloadBytes() > into.lengthBytes()) {
            return ShortPath.DECLINED;
        }
        if (frame.payloadBytes() > 0) {
            ByteBuffer bytes = frame.received();
            int position = bytes.position();
            try {
                into.copyIn(0, bytes);
            } finally {
                bytes.position(position);
            }
        }
        return frame.payloadBytes();
    }
}
