package org.ulfmj.check.detector;

import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/** The detector's messages: heartbeats never stop, and each message is encoded and decoded on its way. */
public final class DetectorTraits implements MessageTraits<DetectorMessage> {
    private final WireWriter writer = new WireWriter(ControlCodec.MAX_BYTES);

    @Override
    public boolean isBackground(DetectorMessage message) {
        return message instanceof DetectorMessage.Heartbeat;
    }

    @Override
    public long digest(DetectorMessage message) {
        writer.clear();
        ControlCodec.encode(new ControlMessage.Detector(message), writer);
        return ContentHash.ofBytes(writer.toByteArray());
    }
}
