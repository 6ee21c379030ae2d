package org.ulfmj.check.survivor;

import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/** The messages of survivor cores. */
public final class ControlTraits implements MessageTraits<ControlMessage> {
    public static final int SORTS = 6;

    /**
     * {@link #SORTS} and one more, which is the sort of the messages that tell newcomers of their world
     * ({@code Welcome}).
     */
    public static final int SORTS_WITH_WELCOME = SORTS + 1;

    private final boolean detectorAlone;
    private final boolean asBytes;
    private final WireWriter writer = new WireWriter(ControlCodec.MAX_BYTES);

    /**
     * @param detectorAlone whether the detector's messages have a stream to themselves: the news of a failure may then
     *     come before or after any message of its sender about agreements, as if it had come another way
     * @param asBytes whether messages are encoded and decoded on their way
     */
    public ControlTraits(boolean detectorAlone, boolean asBytes) {
        this.detectorAlone = detectorAlone;
        this.asBytes = asBytes;
    }

    @Override
    public boolean isBackground(ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Heartbeat;
    }

    @Override
    public int sortOf(ControlMessage message) {
        if (message instanceof ControlMessage.Up) {
            return 0;
        } else if (message instanceof ControlMessage.Down) {
            return 1;
        } else if (message instanceof ControlMessage.ResultRequest) {
            return 2;
        } else if (message instanceof ControlMessage.NextRound) {
            return 3;
        }
        if (message instanceof ControlMessage.Welcome) {
            return SORTS;
        }
        return message instanceof ControlMessage.Detector ? 4 : 5;
    }

    @Override
    public int streamOf(ControlMessage message) {
        return detectorAlone && message instanceof ControlMessage.Detector ? 1 : 0;
    }

    /**
     * Whether the network may deliver a message twice: only an {@code Up}, a {@code Down} or a {@code ResultRequest},
     * which are idempotent.
     */
    @Override
    public boolean mayRepeat(ControlMessage message) {
        return message instanceof ControlMessage.Up
                || message instanceof ControlMessage.Down
                || message instanceof ControlMessage.ResultRequest;
    }

    @Override
    public long digest(ControlMessage message) {
        return ContentHash.ofBytes(write(message));
    }

    @Override
    public ControlMessage carry(ControlMessage message) {
        return asBytes ? ControlCodec.decode(new WireReader(write(message))) : message;
    }

    private byte[] write(ControlMessage message) {
        writer.clear();
        ControlCodec.encode(message, writer);
        return writer.toByteArray();
    }
}
