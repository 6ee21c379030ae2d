package org.ulfmj.check.epoch;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.check.detector.Member;
import org.ulfmj.check.detector.Pace;
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
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;

/**
 * A process that watches the others through membership epochs. A newcomer is <em>pending</em> until it enters its first
 * epoch: it sends heartbeats to those that ask, and holds all other messages.
 */
final class EpochMember implements Member, Protocol<ProcessId, DetectorMessage> {
    /** An obituary that came while the process was pending. */
    private record Held(ProcessId from, DetectorMessage.Obituary obituary) {}

    private final ProcessId id;
    private final SimProcess<ProcessId, DetectorMessage> process;
    private final FailureSet failures = new FailureSet();
    private final ReliableBroadcast<DetectorMessage.Obituary> obituaries;
    private final RingDetector ring;
    private final List<Held> held = new ArrayList<>();
    private Membership epoch;
    private EpochStep step;
    private boolean fenced;

    /** @param members of the epoch that the process begins in; it is a newcomer if it is not among them */
    EpochMember(ProcessId id, Membership members, SimProcess<ProcessId, DetectorMessage> process) {
        this.id = id;
        this.process = process;
        this.epoch = members;
        this.obituaries = new ReliableBroadcast<>(id, members, failures);
        this.ring = new RingDetector(id, members, failures, Pace.TIMING, new StallGuard(), process.clockNs());
        process.afterStep(() -> {
            if (fenced) {
                process.end(SimProcess.End.FENCED);
            }
        });
    }

    void start() {
        process.start(this, (nowNs, out) -> ring.start(nowNs, begins(EpochStep.About.START, null, null, out)));
    }

    /**
     * The process enters the next epoch.
     *
     * @param dead the processes that the members which decided the epoch had marked failed
     */
    void enter(Membership next, List<ProcessId> dead) {
        process.input("enters", EventLog.NOBODY, next, (nowNs, out) -> {
            Outbox<ProcessId, DetectorMessage> watched = begins(EpochStep.About.ENTER, null, null, out);
            List<ProcessId> unheard = new ArrayList<>();
            for (ProcessId process : dead) {
                if (failures.markFailed(process, new Evidence(Evidence.Kind.AGREED, id, "replaced"), nowNs)) {
                    unheard.add(process);
                }
            }
            epoch = next;
            obituaries.enter(next, watched);
            ring.enter(next, nowNs, watched);
            for (ProcessId process : unheard) {
                obituaries.spread(new DetectorMessage.Obituary(process, failures.evidence(process)), watched);
                ring.onGone(process, nowNs, watched);
            }
            for (Held early : List.copyOf(held)) {
                take(early.from(), early.obituary(), nowNs, watched);
            }
            held.clear();
        });
    }

    Membership epoch() {
        return epoch;
    }

    /** Whether the process has entered an epoch of which it is a member. */
    boolean isAdmitted() {
        return epoch.contains(id);
    }

    RingDetector ring() {
        return ring;
    }

    /** The step that runs, or the last one. */
    EpochStep step() {
        return step;
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
        hears("told", ended.id(), Evidence.Kind.CERTAIN);
    }

    @Override
    public void suspect(ProcessId other) {
        hears("suspects", other, Evidence.Kind.SUSPECTED);
    }

    private void hears(String verb, ProcessId other, Evidence.Kind kind) {
        process.input(
                verb,
                other.slot(),
                null,
                (nowNs, out) -> declare(
                        other, new Evidence(kind, id, verb), nowNs, begins(EpochStep.About.OTHER, null, null, out)));
    }

    @Override
    public void onMessage(ProcessId from, DetectorMessage message, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        Outbox<ProcessId, DetectorMessage> watched = begins(EpochStep.About.MESSAGE, from, message, out);
        if (isObituary(message, id)) {
            fenced = true;
        } else if (failures.hasFailed(from)) {
            return;
        } else if (!(message instanceof DetectorMessage.Obituary obituary)) {
            ring.onMessage(from, message, nowNs, watched);
        } else if (isAdmitted()) {
            take(from, obituary, nowNs, watched);
        } else {
            held.add(new Held(from, obituary));
        }
    }

    private static boolean isObituary(DetectorMessage message, ProcessId of) {
        return message instanceof DetectorMessage.Obituary obituary
                && obituary.failed().equals(of);
    }

    private void take(
            ProcessId from, DetectorMessage.Obituary obituary, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        if (!failures.hasFailed(from)) {
            declare(obituary.failed(), obituary.evidence(), nowNs, out);
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        Outbox<ProcessId, DetectorMessage> watched = begins(EpochStep.About.OTHER, null, null, out);
        ring.onTick(nowNs, watched);
        for (ProcessId silent : ring.takeSuspects()) {
            declare(silent, new Evidence(Evidence.Kind.SUSPECTED, id, "silent"), nowNs, watched);
        }
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

    private Outbox<ProcessId, DetectorMessage> begins(
            EpochStep.About about, ProcessId from, DetectorMessage message, Outbox<ProcessId, DetectorMessage> out) {
        EpochStep begun = new EpochStep(about, from, message, ring);
        step = begun;
        return (to, sent) -> {
            begun.said().add(new EpochStep.Said(to, sent));
            out.send(to, sent);
        };
    }

    @Override
    public String toString() {
        return "process " + id + (isRunning() ? "" : " (" + process.end() + ")");
    }
}
