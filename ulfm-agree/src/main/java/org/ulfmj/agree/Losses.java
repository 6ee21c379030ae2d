package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.detector.StallGuard;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/**
 * The members that are lost: finds them out by heartbeats, hears it from others, marks it, and passes it on as an
 * obituary.
 *
 * <p>A silence is never a mark by itself: the driver is told when one begins and when it ends ({@link Effects#silent},
 * {@link Effects#heard}), has it judged, and comes back with evidence.
 *
 * <p>A failure takes one of two ways. On certain evidence the process is proven dead, so what had arrived from it is
 * still read ({@link Effects#drain}) before it is marked. On suspicion, or because an agreement lists it, it is marked
 * at once: it may live, and every further word of it would be one too many.
 *
 * <p>Part of a {@link SurvivorCore}, which keeps rule R0 in front of it. Not thread-safe.
 */
final class Losses {
    /**
     * Detector messages on their way out, as control messages: one that goes to several is one, which is written once.
     */
    private static final class DetectorOutbox implements Outbox<ProcessId, DetectorMessage> {
        private final Outbox<ProcessId, ControlMessage> out;
        private ControlMessage.Detector last;

        DetectorOutbox(Outbox<ProcessId, ControlMessage> out) {
            this.out = out;
        }

        @Override
        public void send(ProcessId to, DetectorMessage message) {
            if (last == null || last.message() != message) {
                last = new ControlMessage.Detector(message);
            }
            out.send(to, last);
        }
    }

    private final Survivor rank;
    private final ProcessId me;
    private final FailureSet failures;
    private final Departure departure;
    private final LossContext context;
    private final RingDetector ring;
    private final ReliableBroadcast<DetectorMessage.Obituary> obituaries;

    /** Dead on certain evidence, and being read out. */
    private final SortedMap<ProcessId, Evidence> draining = new TreeMap<>();

    Losses(Survivor rank, Membership members, Timing timing, LossContext context) {
        this.rank = rank;
        this.me = rank.me();
        this.failures = rank.failures();
        this.departure = rank.departure();
        this.context = context;
        this.ring = new RingDetector(me, members, failures, timing, new StallGuard(), rank.nowNs());
        this.obituaries = new ReliableBroadcast<>(me, members, failures);
    }

    RingDetector ring() {
        return ring;
    }

    /** Begins to beat and to listen. */
    void start(Outbox<ProcessId, ControlMessage> out) {
        ring.start(rank.nowNs(), detectorOutbox(out));
    }

    void onMessage(ProcessId from, DetectorMessage message, Outbox<ProcessId, ControlMessage> out) {
        if (message instanceof DetectorMessage.Obituary obituary) {
            onObituary(from, obituary, out);
        } else {
            ring.onMessage(from, message, rank.nowNs(), detectorOutbox(out));
            tellHeard();
        }
    }

    /** J1: the end of a silence withdraws what was said of it. */
    private void tellHeard() {
        for (ProcessId process : ring.takeHeard()) {
            rank.effects().heard(process);
        }
    }

    /** J2: these say that they hear nothing of this process. */
    void beat(List<ProcessId> complainers, Outbox<ProcessId, ControlMessage> out) {
        ring.beat(complainers, detectorOutbox(out));
    }

    private void onObituary(ProcessId from, DetectorMessage.Obituary obituary, Outbox<ProcessId, ControlMessage> out) {
        ProcessId failed = obituary.failed();
        if (failed.equals(me)) {
            rank.fenceUnlessLeaving("process " + from + " told that process "
                    + obituary.evidence().declaredBy() + " holds this process for failed: "
                    + obituary.evidence().reason());
        } else if (!departure.isLeaving() && !obituaries.holds(failed) && !isOfThePast(failed)) {
            // (That no process is told of the past saves messages: lose ignores whom it knows to be gone.)
            if (obituary.evidence().kind() == Evidence.Kind.CERTAIN || failures.isGone(failed)) {
                // Passed on at once: the mark comes only after draining, or not at all.
                obituaries.spread(obituary, detectorOutbox(out));
                tellSubject(obituary, out);
            }
            // In the other case the mark passes it on, to the neighbours that are left, and once to its subject.
            lose(failed, obituary.evidence(), out);
        }
    }

    /** Whether it failed and all who are in the membership epoch know: they had marked it before they entered. */
    private boolean isOfThePast(ProcessId process) {
        return failures.hasFailed(process) && !context.membership().contains(process);
    }

    void onTick(Outbox<ProcessId, ControlMessage> out) {
        ring.onTick(rank.nowNs(), detectorOutbox(out));
        for (ProcessId suspect : ring.takeSuspects()) {
            rank.effects().silent(suspect);
        }
    }

    long nextDeadlineNs() {
        return ring.nextDeadlineNs();
    }

    /** Evidence of a failure, our own or an obituary's: drained first if it is certain, marked at once if not. */
    void lose(ProcessId process, Evidence evidence, Outbox<ProcessId, ControlMessage> out) {
        if (departure.isLeaving() || failures.isGone(process)) {
            return;
        }
        if (process.equals(me)) {
            rank.fenceUnlessLeaving(evidence.reason());
        } else if (evidence.kind() != Evidence.Kind.CERTAIN) {
            mark(List.of(new Loss(process, evidence)), out);
        } else if (draining.putIfAbsent(process, evidence) == null) {
            rank.effects().drain(process);
        }
    }

    /** The losses of the processes that are being read out: their draining is over, and they are to be marked. */
    List<Loss> takeDrained(List<ProcessId> processes) {
        List<Loss> dead = new ArrayList<>();
        for (ProcessId process : processes) {
            Evidence evidence = draining.remove(process);
            if (evidence != null) {
                dead.add(new Loss(process, evidence));
            }
        }
        return dead;
    }

    /**
     * Marks processes failed. All of them are in the failure set before any agreement hears of one, so that no process
     * turns to a process that the same step has declared dead.
     */
    void mark(List<Loss> losses, Outbox<ProcessId, ControlMessage> out) {
        List<Loss> fresh = new ArrayList<>();
        for (Loss loss : losses) {
            if (departure.isLeaving() || failures.hasFailed(loss.process())) {
                continue;
            }
            // What is certain stays certain, even if an agreement was faster than the draining.
            Evidence certain = draining.remove(loss.process());
            Loss marked = certain == null ? loss : new Loss(loss.process(), certain);
            failures.markFailed(marked.process(), marked.evidence(), rank.nowNs());
            rank.effects().failed(marked.process(), marked.evidence());
            fresh.add(marked);
        }
        if (fresh.isEmpty()) {
            return;
        }
        for (Loss loss : fresh) {
            DetectorMessage.Obituary obituary = new DetectorMessage.Obituary(loss.process(), loss.evidence());
            if (obituaries.spread(obituary, detectorOutbox(out))) {
                tellSubject(obituary, out);
            }
            ring.onGone(loss.process(), rank.nowNs(), detectorOutbox(out)); // its questions come after the news
        }
        replay(fresh.get(fresh.size() - 1).process(), out);
        context.failed(fresh, out);
    }

    /** One that has failed before this process came, and is in no epoch that it was in: no process has to be told. */
    void markOfThePast(ProcessId failed, Evidence told, Outbox<ProcessId, ControlMessage> out) {
        if (failures.markFailed(failed, told, rank.nowNs())) {
            rank.effects().failed(failed, told);
            // It may have asked for heartbeats before it was replaced.
            ring.onGone(failed, rank.nowNs(), detectorOutbox(out));
        }
    }

    void noteDeparted(ProcessId process, Outbox<ProcessId, ControlMessage> out) {
        if (!failures.markDeparted(process)) {
            return;
        }
        draining.remove(process);
        rank.effects().departed(process);
        ring.onGone(process, rank.nowNs(), detectorOutbox(out));
        if (!departure.isLeaving()) {
            replay(process, out);
        } // else F5: a leaver owes nothing any more, and where many leave together each departure makes new neighbours
        context.departed();
    }

    /** Another membership epoch is in force; all in it know of those that have failed so far. */
    void enter(Membership next, SortedSet<ProcessId> failed, Outbox<ProcessId, ControlMessage> out) {
        ring.enter(next, rank.nowNs(), detectorOutbox(out));
        tellHeard();
        for (ProcessId each : failed) {
            if (!next.contains(each)) {
                // Members have marked it before they came here, and newcomers are told with their welcome.
                obituaries.forget(each);
            }
        }
        obituaries.enter(next, detectorOutbox(out));
    }

    /**
     * The failed process itself may live, and the overlay passes over it: so everyone who learns of its failure says
     * so.
     */
    private void tellSubject(DetectorMessage.Obituary obituary, Outbox<ProcessId, ControlMessage> out) {
        if (obituary.evidence().kind() != Evidence.Kind.CERTAIN) {
            out.send(obituary.failed(), new ControlMessage.Detector(obituary));
        }
    }

    private void replay(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
        obituaries.onGone(gone, detectorOutbox(out));
        context.newNeighbours(gone, out);
    }

    private static Outbox<ProcessId, DetectorMessage> detectorOutbox(Outbox<ProcessId, ControlMessage> out) {
        return new DetectorOutbox(out);
    }

    @Override
    public String toString() {
        return "draining " + draining.keySet();
    }
}
