package org.ulfmj.check.detector;

import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.detector.StallGuard;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.sim.SimProcess;

/** A process that only watches the others: ring, obituaries and fencing, connected in the simplest way. */
final class RingMember implements Member, Protocol<ProcessId, DetectorMessage> {
    private final ProcessId id;
    private final SimProcess<ProcessId, DetectorMessage> process;
    private final FailureSet failures = new FailureSet();
    private final ReliableBroadcast<DetectorMessage.Obituary> obituaries;
    private final RingDetector ring;
    private final HeartbeatsAreFew heartbeats;
    private boolean fenced;

    /** @param upForNs how long ago the process began to expect heartbeats */
    RingMember(
            ProcessId id,
            Membership members,
            SimProcess<ProcessId, DetectorMessage> process,
            HeartbeatsAreFew heartbeats,
            long upForNs) {
        this.id = id;
        this.process = process;
        this.heartbeats = heartbeats;
        this.obituaries = new ReliableBroadcast<>(id, members, failures);
        this.ring = new RingDetector(id, members, failures, Pace.TIMING, new StallGuard(), process.clockNs() - upForNs);
        process.afterStep(() -> {
            if (fenced) {
                process.end(SimProcess.End.FENCED);
            }
        });
    }

    void start() {
        process.start(this, (nowNs, out) -> ring.start(nowNs, step(null, out)));
    }

    RingDetector ring() {
        return ring;
    }

    @Override
    public ProcessId id() {
        return id;
    }

    @Override
    public SimProcess<?, ?> process() {
        return process;
    }

    @Override
    public FailureSet failures() {
        return failures;
    }

    @Override
    public void learnOfEnd(Member ended) {
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, id, "ended");
        process.input(
                "told", ended.id().slot(), null, (nowNs, out) -> declare(ended.id(), evidence, nowNs, step(null, out)));
    }

    @Override
    public void suspect(ProcessId other) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, id, "suspected");
        process.input("suspects", other.slot(), null, (nowNs, out) -> declare(other, evidence, nowNs, step(null, out)));
    }

    @Override
    public void onMessage(ProcessId from, DetectorMessage message, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        boolean isAsked = message instanceof DetectorMessage.Observe || message instanceof DetectorMessage.Probe;
        take(from, message, nowNs, step(isAsked ? from : null, out));
    }

    private void take(ProcessId from, DetectorMessage message, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        if (message instanceof DetectorMessage.Obituary obituary
                && obituary.failed().equals(id)) {
            fenced = true;
        } else if (failures.hasFailed(from)) {
            return;
        } else if (message instanceof DetectorMessage.Obituary obituary) {
            declare(obituary.failed(), obituary.evidence(), nowNs, out);
        } else {
            ring.onMessage(from, message, nowNs, out);
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        Outbox<ProcessId, DetectorMessage> watched = step(null, out);
        ring.onTick(nowNs, watched);
        for (ProcessId silent : ring.takeSuspects()) {
            declare(silent, new Evidence(Evidence.Kind.SUSPECTED, id, "silent"), nowNs, watched);
        }
    }

    /** Begins a step, whose heartbeats are counted. */
    private Outbox<ProcessId, DetectorMessage> step(ProcessId asker, Outbox<ProcessId, DetectorMessage> out) {
        heartbeats.stepBegins(id.slot(), asker);
        return (to, message) -> {
            if (message instanceof DetectorMessage.Heartbeat) {
                heartbeats.beats(id.slot(), to, process.clockNs());
            }
            out.send(to, message);
        };
    }

    @Override
    public long nextDeadlineNs() {
        return ring.nextDeadlineNs();
    }

    private void declare(ProcessId other, Evidence evidence, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        if (!failures.markFailed(other, evidence, nowNs)) {
            return;
        }
        DetectorMessage.Obituary obituary = new DetectorMessage.Obituary(other, evidence);
        obituaries.spread(obituary, out);
        if (evidence.kind() != Evidence.Kind.CERTAIN) {
            out.send(other, obituary);
        }
        obituaries.onGone(other, out);
        ring.onGone(other, nowNs, out);
    }
}
