package org.ulfmj.check.survivor.invariant;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.detector.HeartbeatsAreFew;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;

/** {@link HeartbeatsAreFew} for whole survivor cores. */
final class CoresBeatSeldom implements Watch {
    private final HeartbeatsAreFew heartbeats;

    CoresBeatSeldom(int size) {
        this.heartbeats = new HeartbeatsAreFew(size);
    }

    @Override
    public void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {
        boolean isAsked = message instanceof ControlMessage.Detector detector
                && (detector.message() instanceof DetectorMessage.Observe
                        || detector.message() instanceof DetectorMessage.Probe);
        heartbeats.stepBegins(rank.id().slot(), isAsked ? from : null);
    }

    @Override
    public void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {
        if (message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Heartbeat) {
            heartbeats.beats(rank.id().slot(), to, rank.process().clockNs());
        }
    }
}
