package org.ulfmj.detector;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.Timing;

/**
 * The heartbeat ring: each process listens to one other, its <em>emitter</em>, and sends heartbeats to those that asked
 * for them, its <em>observers</em>. While no membership changes and no process is silent, each process sends one
 * message and receives one per period, however large the world is.
 *
 * <p>The observer pulls. Each rank observes the nearest predecessor that neither failed nor departed as far as the rank
 * knows. It releases the former emitter with UNOBSERVE first, and then asks the new one with OBSERVE. An emitter sends
 * heartbeats to every process that asked, in any membership epoch, known to the emitter or not, until that observer
 * releases it or is gone. So ranks may enter an epoch at different times, and no healthy rank seems silent to another.
 *
 * <p>An emitter that was silent for the detector timeout is a suspect; {@link #takeSuspects} hands it over. A suspect
 * is never marked by this class: it is asked again and again until it is heard or released ({@link #takeHeard}), or the
 * caller has marked it failed or departed ({@link #onGone}). Silence counts only while this process could hear
 * ({@link StallGuard}), and after the deadline one more poll must find no heartbeat. Obituaries, also those of this
 * process, are handled by the survivor core: none is given to this class.
 *
 * <p>A death seldom comes alone: the processes of one host or rack are neighbours on the ring. So when its emitter has
 * failed, a rank also asks the next ⌈log₂ size⌉ live predecessors for one heartbeat at once (PROBE, rule 6a), and
 * suspects those that do not answer within one timeout. Neighbours that die together, up to ⌈log₂ size⌉ + 2 of them,
 * are then known after two timeouts. If the rank asked one predecessor after the other, each of them would take two
 * more timeouts.
 *
 * <p>Bound: silence is noticed {@code timeout + period / 10} after the last heartbeat, or after the question that
 * follows a failure. Where the emitter changed without a failure, twice the timeout counts. At the very start {@code 2
 * timeout + 1 s + ln(size) s} count, because processes do not start at once.
 */
public final class RingDetector implements Protocol<ProcessId, DetectorMessage> {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    /**
     * After this number of unwanted heartbeats of one process, its next one is answered by UNOBSERVE, and the count
     * begins anew.
     */
    private static final int STRAY_BEATS = 3;

    private static final DetectorMessage.Heartbeat HEARTBEAT = new DetectorMessage.Heartbeat();
    private static final DetectorMessage.Observe OBSERVE = new DetectorMessage.Observe();
    private static final DetectorMessage.Unobserve UNOBSERVE = new DetectorMessage.Unobserve();
    private static final DetectorMessage.Probe PROBE = new DetectorMessage.Probe();

    private final ProcessId me;
    private final FailureSet failures;
    private final Timing timing;
    private final StallGuard guard;
    private final long firstDeadlineNs;

    private final SortedSet<ProcessId> observers = new TreeSet<>();
    private final SortedMap<ProcessId, Integer> strays = new TreeMap<>();
    /** Processes that fell silent and that {@link #takeSuspects} has not handed over yet. */
    private final List<ProcessId> suspects = new ArrayList<>();
    /** Processes that {@link #takeSuspects} handed over and that have been silent since. */
    private final SortedSet<ProcessId> silent = new TreeSet<>();
    /** Processes that were handed over as silent and were then heard again, or are listened to no more. */
    private final List<ProcessId> heard = new ArrayList<>();

    private final Probes probes;
    private Membership membership;

    /** The process that this one listens to; null before the start, while it is alone, or while it is in no epoch. */
    private ProcessId emitter;

    private long nextBeatNs = NEVER;
    private long silenceDeadlineNs = NEVER;

    /**
     * When the present emitter was last heard, or was chosen if it was not heard since. The part of a stall before that
     * time does not extend the silence deadline.
     */
    private long listeningSinceNs;

    /** Whether the silence deadline has passed once; then the next poll that comes in time decides. */
    private boolean isOverdue;

    /** When to repeat OBSERVE if the new emitter has not sent a heartbeat yet. */
    private long askAgainNs = NEVER;

    /**
     * When silent processes are asked next. A process that seems silent because a question was lost gets the question
     * again.
     */
    private long askSilentNs = NEVER;

    /** @param nowNs when this process begins to expect heartbeats: the slack of a slow start is counted from then */
    public RingDetector(
            ProcessId me, Membership membership, FailureSet failures, Timing timing, StallGuard guard, long nowNs) {
        this.me = me;
        this.membership = membership;
        this.failures = failures;
        this.timing = timing;
        this.guard = guard;
        this.probes = new Probes(timing.heartbeatPeriodNs());
        this.firstDeadlineNs = nowNs
                + 2 * timing.detectorTimeoutNs()
                + SECOND_NS
                + (long) (StrictMath.log(Math.max(1, membership.size())) * SECOND_NS);
    }

    /**
     * Begins to send heartbeats and to listen. In epoch 0 a member listens to its predecessor and sends heartbeats to
     * its successor, which need not ask. In a later epoch the predecessor may be a former newcomer, which sends
     * heartbeats only to processes that ask, so it is asked. A newcomer that is in no epoch yet only sends heartbeats
     * to processes that ask.
     */
    public void start(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        nextBeatNs = nowNs + timing.heartbeatPeriodNs();
        if (!membership.contains(me) || membership.size() == 1) {
            return;
        }
        if (membership.epoch() > 0) { // B7: of epoch 0 only
            // The emitter is asked here: a former newcomer sends heartbeats only to processes that ask, and would be
            // taken for dead otherwise.
            observeNearest(nowNs, out);
            return;
        }
        int rank = membership.slots().rank(me.slot());
        emitter = at(rank - 1);
        listen(nowNs, firstDeadlineNs);
        ProcessId successor = at(rank + 1);
        if (!failures.isGone(successor)) {
            observers.add(successor);
            out.send(successor, HEARTBEAT);
        }
        observeNearest(nowNs, out);
    }

    @Override
    public void onMessage(ProcessId from, DetectorMessage message, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        if (failures.isGone(from)) {
            return;
        }
        if (message instanceof DetectorMessage.Heartbeat) {
            onHeartbeat(from, nowNs, out);
        } else if (message instanceof DetectorMessage.Observe) {
            onObserve(from, out);
        } else if (message instanceof DetectorMessage.Unobserve) {
            observers.remove(from);
        } else if (message instanceof DetectorMessage.Probe) {
            onProbe(from, out);
        } else {
            throw new IllegalStateException(
                    "the ring was given " + message + " from " + from + ", but obituaries belong to the survivor core");
        }
    }

    private void onHeartbeat(ProcessId from, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        boolean wasProbed = probes.close(from);
        boolean wasSilent = endSilence(from);
        if (from.equals(emitter)) {
            // The longer time of a slow start applies to the first heartbeat only.
            listen(nowNs, nowNs + timing.detectorTimeoutNs());
            askAgainNs = NEVER;
            return;
        }
        if (wasProbed || wasSilent) {
            return;
        }
        int beats = strays.merge(from, 1, Integer::sum);
        if (beats > STRAY_BEATS) {
            strays.remove(from);
            out.send(from, UNOBSERVE);
        }
    }

    private void onObserve(ProcessId observer, Outbox<ProcessId, DetectorMessage> out) {
        if (!observer.equals(me)) {
            observers.add(observer);
            out.send(observer, HEARTBEAT);
        }
    }

    /**
     * Answers a PROBE with one heartbeat, for every asker that is another process, of any epoch. The asker does not
     * become an observer.
     */
    private void onProbe(ProcessId asker, Outbox<ProcessId, DetectorMessage> out) {
        if (!asker.equals(me)) {
            out.send(asker, HEARTBEAT); // rule 6a: one heartbeat for a probe
        }
    }

    /**
     * J2: sends one heartbeat at once to each process that complains that it does not hear this one, unless it is
     * marked failed or departed. The complainer gets it even if it does not observe this process or has released it,
     * because the heartbeat proves that the way to the complainer is open.
     */
    public void beat(List<ProcessId> complainers, Outbox<ProcessId, DetectorMessage> out) {
        for (ProcessId complainer : complainers) {
            if (!complainer.equals(me) && !failures.isGone(complainer)) {
                out.send(complainer, HEARTBEAT);
            }
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        long lateNs = guard.lateness(nowNs, nextDeadlineNs());
        extendBy(Math.min(lateNs, nowNs - listeningSinceNs));
        probes.extendBy(lateNs, nowNs);
        if (nowNs >= nextBeatNs) {
            nextBeatNs = nowNs + timing.heartbeatPeriodNs();
            for (ProcessId observer : observers) {
                out.send(observer, HEARTBEAT);
            }
        }
        if (nowNs >= askAgainNs) {
            askAgainNs = NEVER;
            out.send(emitter, OBSERVE);
        }
        if (nowNs >= askSilentNs) {
            askSilent(nowNs, out);
        }
        if (nowNs >= silenceDeadlineNs) {
            onSilence(nowNs, lateNs);
        }
        for (ProcessId silentOne : probes.takeSilent(nowNs, lateNs)) {
            suspect(silentOne, nowNs);
        }
    }

    private void suspect(ProcessId process, long nowNs) {
        if (!suspects.contains(process) && !silent.contains(process)) {
            suspects.add(process);
            askSilentNs = Math.min(askSilentNs, nowNs + timing.detectorTimeoutNs() / 2);
        }
    }

    /**
     * Ends the silence of a process that was heard, or to which this process listens no more. Returns false if the
     * process was not silent.
     */
    private boolean endSilence(ProcessId process) {
        if (silent.remove(process)) {
            heard.add(process);
            return true;
        }
        return suspects.remove(process);
    }

    private void askSilent(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        askSilentNs = silent.isEmpty() ? NEVER : nowNs + timing.detectorTimeoutNs();
        for (ProcessId process : silent) {
            out.send(process, process.equals(emitter) ? OBSERVE : PROBE);
        }
    }

    private void extendBy(long lateNs) {
        if (silenceDeadlineNs != NEVER) {
            silenceDeadlineNs += lateNs;
        }
        if (askAgainNs != NEVER) {
            askAgainNs += lateNs;
        }
    }

    private void onSilence(long nowNs, long lateNs) {
        if (isOverdue && lateNs < timing.heartbeatPeriodNs()) {
            silenceDeadlineNs = NEVER;
            suspect(emitter, nowNs);
            return;
        }
        isOverdue = true;
        silenceDeadlineNs = nowNs + timing.heartbeatPeriodNs() / 10;
    }

    @Override
    public long nextDeadlineNs() {
        if (emitter == null && observers.isEmpty()) {
            return NEVER;
        }
        long questionNs = Math.min(askAgainNs, askSilentNs);
        return Math.min(Math.min(nextBeatNs, probes.nextDeadlineNs()), Math.min(silenceDeadlineNs, questionNs));
    }

    /** A process failed or departed, and the failure set knows it. */
    public void onGone(ProcessId gone, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        observers.remove(gone);
        strays.remove(gone);
        suspects.remove(gone);
        silent.remove(gone);
        probes.close(gone);
        if (gone.equals(emitter)) {
            observeNearest(nowNs, out);
        }
    }

    /**
     * Enters another membership epoch. The observers stay: each says itself when it needs no more beats. The processes
     * that the new epoch has replaced are in the failure set already, and {@link #onGone} removes a replaced observer.
     */
    public void enter(Membership next, long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        if (next.epoch() <= membership.epoch()) {
            throw new IllegalStateException("process " + me + " is in epoch " + membership.epoch() + " and is to enter "
                    + next.epoch() + "; epochs only grow");
        }
        membership = next;
        observeNearest(nowNs, out);
    }

    /**
     * Processes that have fallen silent since the last call and still are, in the order in which their silence was
     * noticed.
     */
    public List<ProcessId> takeSuspects() {
        if (suspects.isEmpty()) {
            return List.of();
        }
        List<ProcessId> taken = List.copyOf(suspects);
        silent.addAll(taken);
        suspects.clear();
        return taken;
    }

    /**
     * Processes that were handed over as silent and, since the last call, were heard or are not listened to any more.
     * One that failed or departed while it was silent is not among them.
     */
    public List<ProcessId> takeHeard() {
        if (heard.isEmpty()) {
            return List.of();
        }
        List<ProcessId> taken = List.copyOf(heard);
        heard.clear();
        return taken;
    }

    /** Whether the given process was handed over as silent and has not stopped counting as silent since. */
    public boolean isSilent(ProcessId process) {
        return silent.contains(process);
    }

    /** Returns the process that this one listens to; null if there is none. */
    public ProcessId emitter() {
        return emitter;
    }

    /** Returns the processes to which this process sends heartbeats. */
    public SortedSet<ProcessId> observers() {
        return Collections.unmodifiableSortedSet(observers);
    }

    private void observeNearest(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        ProcessId nearest = nearestPredecessor();
        if (nearest == null ? emitter == null : nearest.equals(emitter)) {
            return;
        }
        ProcessId former = emitter;
        emitter = nearest;
        // The release goes before the request: on one FIFO link the former emitter may become the emitter again soon.
        if (former != null && !failures.isGone(former)) {
            // The former emitter is released and will not beat any more, so its silence says nothing.
            endSilence(former);
            out.send(former, UNOBSERVE);
        }
        if (nearest == null) {
            silenceDeadlineNs = NEVER;
            askAgainNs = NEVER;
            return;
        }
        strays.remove(nearest);
        // The deadline is two timeouts away: one for OBSERVE to arrive, one for the first heartbeat. A change of the
        // emitter does not cut a slow start short. (The second timeout is a second safety, since OBSERVE is answered at
        // once. After a failure one timeout is enough, rule 6a.)
        listen(nowNs, Math.max(nowNs + 2 * timing.detectorTimeoutNs(), firstDeadlineNs));
        boolean afterFailure = former != null && failures.hasFailed(former);
        // After a failure the new emitter has one timeout to answer, so the question is repeated half-way: at the end
        // no time would be left. (Repeating it is a second safety: links lose nothing.)
        askAgainNs = nowNs + (afterFailure ? timing.detectorTimeoutNs() / 2 : timing.detectorTimeoutNs());
        out.send(nearest, OBSERVE);
        if (afterFailure) { // rule 6a: a failure seldom comes alone
            // Without the probes, only one of several neighbours that died together would be found per two timeouts.
            probePredecessors(nowNs, out);
        }
    }

    /**
     * Rule 6a: gives the new emitter and the next live predecessors one timeout to answer, which is enough because
     * OBSERVE and PROBE are answered at once. The number of those predecessors is at most ⌈log₂ size⌉. A slow start is
     * not cut short here either.
     */
    private void probePredecessors(long nowNs, Outbox<ProcessId, DetectorMessage> out) {
        long deadlineNs = Math.max(nowNs + timing.detectorTimeoutNs(), firstDeadlineNs);
        int rank = membership.slots().rank(me.slot());
        int left = Integer.SIZE - Integer.numberOfLeadingZeros(membership.size() - 1);
        probes.ask(emitter, nowNs, deadlineNs);
        for (int distance = 1; distance < membership.size() && left > 0; distance++) {
            ProcessId candidate = at(rank - distance);
            if (candidate.equals(emitter) || failures.isGone(candidate)) {
                continue;
            }
            left--;
            if (probes.ask(candidate, nowNs, deadlineNs)) {
                out.send(candidate, PROBE);
            }
        }
    }

    private void listen(long nowNs, long deadlineNs) {
        listeningSinceNs = nowNs;
        silenceDeadlineNs = deadlineNs;
        isOverdue = false;
    }

    /**
     * Returns the process of the nearest slot before this one that neither failed nor departed; null if there is none,
     * or if this process is no member.
     */
    private ProcessId nearestPredecessor() {
        if (!membership.contains(me)) {
            return null;
        }
        int rank = membership.slots().rank(me.slot());
        for (int distance = 1; distance < membership.size(); distance++) {
            ProcessId candidate = at(rank - distance);
            if (!failures.isGone(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private ProcessId at(int rank) {
        SlotRuns slots = membership.slots();
        return membership.process(slots.slot(Math.floorMod(rank, slots.size())));
    }
}
