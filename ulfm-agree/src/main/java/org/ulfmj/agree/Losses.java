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
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * The losses of members: hears of them from the driver, from other ranks or from agreements, marks the lost processes,
 * and passes the losses on as obituaries. Heartbeats show silences.
 *
 * <p>A silence is never a mark by itself. The driver is told when a silence begins and when it ends
 * ({@link Effects#silent}, {@link Effects#heard}). The driver has the silence judged, and reports evidence.
 *
 * <p>A failure takes one of two ways. On certain evidence the process is proven dead, so the messages that had arrived
 * from it are still read ({@link Effects#drain}) before it is marked. On suspicion, or because an agreement lists it,
 * the process is marked at once: it may live, and no further message of it may count.
 *
 * <p>Part of a {@link SurvivorCore}, which applies rule R0 before it calls this class. Not thread-safe.
 */
final class Losses {
    /**
     * Sends detector messages as control messages. A message that goes to several processes one after the other is
     * wrapped once.
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

    /** Processes that are dead on certain evidence, and are being drained. */
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

    /** J1: tells the driver which silences have ended. */
    private void tellHeard() {
        for (ProcessId process : ring.takeHeard()) {
            rank.effects().heard(process);
        }
    }

    /** J2: sends a heartbeat to each process that complains that it hears nothing of this one. */
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
            // (isOfThePast is asked only to save messages: lose ignores processes that are gone.)
            if (obituary.evidence().kind() == Evidence.Kind.CERTAIN || failures.isGone(failed)) {
                // The obituary is passed on here and at once, because mark() does so only after the draining, and not
                // at all for a process that is gone.
                obituaries.spread(obituary, detectorOutbox(out));
                tellSubject(obituary, out);
            }
            // In the other cases mark() passes the obituary on, to the neighbours that are left and once to the failed
            // process.
            lose(failed, obituary.evidence(), out);
        }
    }

    /** Whether the process is marked failed here and is no member of the membership epoch in force. */
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

    /**
     * Takes evidence of a failure, found here or told by an obituary. If it is certain, the process is drained first;
     * otherwise the process is marked at once. Evidence against this process fences it. Ignored for a process that is
     * gone or being drained, and by a rank that leaves.
     */
    void lose(ProcessId process, Evidence evidence, Outbox<ProcessId, ControlMessage> out) {
        if (departure.isLeaving() || failures.isGone(process)) {
            return;
        }
        if (process.equals(me)) {
            rank.fenceUnlessLeaving(evidence.reason());
        } else if (draining.containsKey(process)) {
            return; // marked when it is drained, on evidence that no other evidence surpasses
        } else if (evidence.kind() != Evidence.Kind.CERTAIN) {
            mark(List.of(new Loss(process, evidence)), out);
        } else {
            draining.put(process, evidence);
            rank.effects().drain(process);
        }
    }

    /** Whether any process is dead on certain evidence and not drained yet. */
    boolean isDraining() {
        return !draining.isEmpty();
    }

    /** Whether a process in one of these slots is being drained. */
    boolean drainsAny(SlotSet slots) {
        for (ProcessId process : draining.keySet()) {
            if (slots.contains(process.slot())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends the draining of these processes. Returns their losses, which are to be marked, and leaves out processes that
     * were not being drained.
     */
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
            // If a process was being drained, its evidence stays certain, even if an agreement lists the process before
            // the draining is over.
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
            ring.onGone(loss.process(), rank.nowNs(), detectorOutbox(out)); // its questions follow the obituary
        }
        replay(fresh.get(fresh.size() - 1).process(), out);
        context.failed(fresh, out);
    }

    /**
     * Marks a process that failed before this process became a member, and was in no epoch with it. No process has to
     * be told.
     */
    void markOfThePast(ProcessId failed, Evidence told, Outbox<ProcessId, ControlMessage> out) {
        if (failures.markFailed(failed, told, rank.nowNs())) {
            rank.effects().failed(failed, told);
            // The ring drops the failed process, which may have asked this process for heartbeats before it was
            // replaced.
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

    /** Enters another membership epoch, and drops the obituaries of processes that are no members of it. */
    void enter(Membership next, SortedSet<ProcessId> failed, Outbox<ProcessId, ControlMessage> out) {
        ring.enter(next, rank.nowNs(), detectorOutbox(out));
        tellHeard();
        for (ProcessId each : failed) {
            if (!next.contains(each)) {
                // The obituary is not spread any more: the world has gone on without the process.
                obituaries.forget(each);
            }
        }
        obituaries.enter(next, detectorOutbox(out));
    }

    /**
     * Sends a failed process its own obituary, unless its death is certain. The process may live, and the overlay
     * leaves it out, so every process that learns of the failure sends it the obituary.
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
