package org.ulfmj.check.epoch;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.check.detector.Member;
import org.ulfmj.check.detector.WatchingMember;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;

/**
 * A simulated process that runs ring and obituaries through membership epochs. A newcomer is <em>pending</em> until it
 * enters its first epoch: it sends heartbeats to those that ask, and holds back the obituaries of other processes that
 * it receives.
 */
final class EpochMember extends WatchingMember {
    /** An obituary that came while the process was pending, and is kept until it enters an epoch. */
    private record Held(ProcessId from, DetectorMessage.Obituary obituary) {}

    private final List<Held> held = new ArrayList<>();
    private Membership epoch;
    private EpochStep step;

    /** @param members of the epoch that the process begins in; the process is a newcomer if it is not one of them */
    EpochMember(ProcessId id, Membership members, SimProcess<ProcessId, DetectorMessage> process) {
        super(id, members, process, 0);
        this.epoch = members;
    }

    void start() {
        process().start(this, (nowNs, out) -> ring().start(nowNs, begins(EpochStep.About.START, null, null, out)));
    }

    /**
     * The process enters the next epoch.
     *
     * @param dead processes that this process is to mark failed too
     */
    void enter(Membership next, List<ProcessId> dead) {
        process().input("enters", EventLog.NO_PROCESS, next, (nowNs, out) -> {
            Outbox<ProcessId, DetectorMessage> watched = begins(EpochStep.About.ENTER, null, null, out);
            List<ProcessId> unheard = new ArrayList<>();
            for (ProcessId process : dead) {
                if (failures().markFailed(process, new Evidence(Evidence.Kind.AGREED, id(), "replaced"), nowNs)) {
                    unheard.add(process);
                }
            }
            epoch = next;
            obituaries().enter(next, watched);
            ring().enter(next, nowNs, watched);
            for (ProcessId process : unheard) {
                obituaries()
                        .spread(new DetectorMessage.Obituary(process, failures().evidence(process)), watched);
                ring().onGone(process, nowNs, watched);
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

    /** Whether the process is in an epoch of which it is a member, its first one or a later one. */
    boolean isAdmitted() {
        return epoch.contains(id());
    }

    /** Returns the step that runs now, or else the last one; null before the first. */
    EpochStep step() {
        return step;
    }

    @Override
    public void learnOfEnd(Member ended) {
        hear("told", ended.id(), new Evidence(Evidence.Kind.CERTAIN, id(), "told"));
    }

    @Override
    public void suspect(ProcessId other) {
        hear("suspects", other, new Evidence(Evidence.Kind.SUSPECTED, id(), "suspects"));
    }

    @Override
    public void onMessage(ProcessId from, DetectorMessage message, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        Outbox<ProcessId, DetectorMessage> watched = begins(EpochStep.About.MESSAGE, from, message, out);
        if (isFencedBy(message) || failures().hasFailed(from)) {
            return;
        }
        if (!(message instanceof DetectorMessage.Obituary obituary)) {
            ring().onMessage(from, message, nowNs, watched);
        } else if (isAdmitted()) {
            take(from, obituary, nowNs, watched);
        } else {
            held.add(new Held(from, obituary));
        }
    }

    private void take(
            ProcessId from, DetectorMessage.Obituary obituary, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        if (!failures().hasFailed(from)) {
            declare(obituary.failed(), obituary.evidence(), nowNs, out);
        }
    }

    @Override
    protected Outbox<ProcessId, DetectorMessage> step(Outbox<ProcessId, DetectorMessage> out) {
        return begins(EpochStep.About.OTHER, null, null, out);
    }

    private Outbox<ProcessId, DetectorMessage> begins(
            EpochStep.About about, ProcessId from, DetectorMessage message, Outbox<ProcessId, DetectorMessage> out) {
        EpochStep begun = new EpochStep(about, from, message, ring());
        step = begun;
        return (to, sent) -> {
            begun.said().add(new EpochStep.Said(to, sent));
            out.send(to, sent);
        };
    }

    @Override
    public String toString() {
        return "process " + id() + (isRunning() ? "" : " (" + process().end() + ")");
    }
}
