package org.ulfmj.sim.survivor;

import org.ulfmj.agree.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.sim.MessageTraits;

/**
 * The messages of survivor cores.
 *
 * @param detectorAlone whether the detector's messages have a stream of their own: then the news of a failure may come
 *     before or after anything that its sender said about agreements, as if it had come another way
 */
record ControlTraits(boolean detectorAlone) implements MessageTraits<ControlMessage> {
    static final int SORTS = 6;

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
        return message instanceof ControlMessage.Detector ? 4 : 5;
    }

    @Override
    public int streamOf(ControlMessage message) {
        return detectorAlone && message instanceof ControlMessage.Detector ? 1 : 0;
    }
}
