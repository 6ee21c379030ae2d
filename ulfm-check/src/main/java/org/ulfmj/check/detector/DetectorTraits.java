package org.ulfmj.check.detector;

import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/**
 * What the simulator must know of the detector's messages: heartbeats never stop, so they keep no simulation running,
 * and the digest of a message is that of its encoded bytes.
 */
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
