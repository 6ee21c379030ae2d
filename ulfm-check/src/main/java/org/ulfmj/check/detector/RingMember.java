package org.ulfmj.check.detector;

import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SimProcess;

/** A simulated process that only runs the heartbeat ring and its obituaries, and whose heartbeats are counted. */
final class RingMember extends WatchingMember {
    private final HeartbeatsAreFew heartbeats;

    /** @param upForNs how long ago the process began to expect heartbeats */
    RingMember(
            ProcessId id,
            Membership members,
            SimProcess<ProcessId, DetectorMessage> process,
            HeartbeatsAreFew heartbeats,
            long upForNs) {
        super(id, members, process, upForNs);
        this.heartbeats = heartbeats;
    }

    void start() {
        process().start(this, (nowNs, out) -> ring().start(nowNs, step(out)));
    }

    @Override
    public void learnOfEnd(Member ended) {
        hear("told", ended.id(), new Evidence(Evidence.Kind.CERTAIN, id(), "ended"));
    }

    @Override
    public void suspect(ProcessId other) {
        hear("suspects", other, new Evidence(Evidence.Kind.SUSPECTED, id(), "suspected"));
    }

    @Override
    public void onMessage(ProcessId from, DetectorMessage message, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        boolean isAsked = message instanceof DetectorMessage.Observe || message instanceof DetectorMessage.Probe;
        Outbox<ProcessId, DetectorMessage> watched = step(isAsked ? from : null, out);
        if (isFencedBy(message) || failures().hasFailed(from)) {
            return;
        }
        if (message instanceof DetectorMessage.Obituary obituary) {
            declare(obituary.failed(), obituary.evidence(), nowNs, watched);
        } else {
            ring().onMessage(from, message, nowNs, watched);
        }
    }

    @Override
    protected Outbox<ProcessId, DetectorMessage> step(Outbox<ProcessId, DetectorMessage> out) {
        return step(null, out);
    }

    /** Begins a step, whose heartbeats are counted. */
    private Outbox<ProcessId, DetectorMessage> step(ProcessId asker, Outbox<ProcessId, DetectorMessage> out) {
        heartbeats.stepBegins(id().slot(), asker);
        return (to, message) -> {
            if (message instanceof DetectorMessage.Heartbeat) {
                heartbeats.beats(id().slot(), to, process().clockNs());
            }
            out.send(to, message);
        };
    }
}
