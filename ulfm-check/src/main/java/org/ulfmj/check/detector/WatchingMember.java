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

/** A simulated process that only detects failures: ring, obituaries and fencing, connected in the simplest way. */
public abstract class WatchingMember implements Member, Protocol<ProcessId, DetectorMessage> {
    private final ProcessId id;
    private final SimProcess<ProcessId, DetectorMessage> process;
    private final FailureSet failures = new FailureSet();
    private final ReliableBroadcast<DetectorMessage.Obituary> obituaries;
    private final RingDetector ring;
    private boolean fenced;

    /** @param upForNs how long ago the process began to expect heartbeats */
    protected WatchingMember(
            ProcessId id, Membership members, SimProcess<ProcessId, DetectorMessage> process, long upForNs) {
        this.id = id;
        this.process = process;
        this.obituaries = new ReliableBroadcast<>(id, members, failures);
        this.ring = new RingDetector(id, members, failures, Pace.TIMING, new StallGuard(), process.clockNs() - upForNs);
        process.afterStep(() -> {
            if (fenced) {
                process.end(SimProcess.End.FENCED);
            }
        });
    }

    /**
     * Called at the beginning of a step in which a timer fires or the process is told from outside that another one has
     * failed. Returns the outbox that the step is to use, through which a subclass can watch the step.
     */
    protected abstract Outbox<ProcessId, DetectorMessage> step(Outbox<ProcessId, DetectorMessage> out);

    @Override
    public final ProcessId id() {
        return id;
    }

    @Override
    public final SimProcess<ProcessId, DetectorMessage> process() {
        return process;
    }

    @Override
    public final FailureSet failures() {
        return failures;
    }

    protected final ReliableBroadcast<DetectorMessage.Obituary> obituaries() {
        return obituaries;
    }

    public final RingDetector ring() {
        return ring;
    }

    /** Tells this process from outside that another process has failed, with this evidence. */
    protected final void hear(String verb, ProcessId other, Evidence evidence) {
        process.input(verb, other.slot(), null, (nowNs, out) -> declare(other, evidence, nowNs, step(out)));
    }

    /** Whether the message is an obituary of this process, which then ends after the step. */
    protected final boolean isFencedBy(DetectorMessage message) {
        boolean isOfThis = message instanceof DetectorMessage.Obituary obituary
                && obituary.failed().equals(id);
        fenced |= isOfThis;
        return isOfThis;
    }

    @Override
    public final void onTick(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        Outbox<ProcessId, DetectorMessage> watched = step(out);
        ring.onTick(nowNs, watched);
        for (ProcessId silent : ring.takeSuspects()) {
            declare(silent, new Evidence(Evidence.Kind.SUSPECTED, id, "silent"), nowNs, watched);
        }
    }

    @Override
    public final long nextDeadlineNs() {
        return ring.nextDeadlineNs();
    }

    protected final void declare(
            ProcessId other, Evidence evidence, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
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
