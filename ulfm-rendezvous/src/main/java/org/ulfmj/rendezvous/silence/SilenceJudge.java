package org.ulfmj.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Decides which process is ended when a process falls silent, so that no rank need mark another on its own suspicion
 * (rules J1 to J5 of the rendezvous, with processes and hosts as units). A silence is one of four things:
 *
 * <ul>
 *   <li>A process is seen unable to run (state T, t or D) at each look for the timeout: it ends.
 *   <li>A member leaves the launcher without answer: each is asked once per timeout, one that has said nothing for a
 *       timeout is asked a last time, and ends if that is not answered within half a timeout (J2), in which it did not
 *       wait for a core.
 *   <li>Two members answer, and one does not hear the other. The one complained of beats its complainers before it
 *       answers; half a timeout later the complainers are asked, and if they still hear nothing for another half, the
 *       process with the most lost paths ends (J3). Between hosts the paths are those of hosts, and a whole host ends:
 *       its other processes would lose the same path.
 *   <li>A host is silent as a whole, its agent and every process: all mark its processes on suspicion (J4), and its
 *       agent ends them should it be heard again.
 * </ul>
 *
 * <p>One unit ends at a time (J5), by SIGKILL; the caller tells this object when the end is proven. A process that
 * SIGKILL does not end is given up: it counts as failed without proof.
 *
 * <p>Pure and single-threaded. {@link #onTick} is called only once every message that has arrived was passed on. The
 * delay of a late call is taken for the launcher's own stall, and counts against no process.
 */
public final class SilenceJudge {
    private static final int STEPS_PER_TIMEOUT = 20;
    private static final int MOST_LOOKS_APART = 4; // parts of the timeout
    private static final long NS_PER_MS = 1_000_000;

    private final long timeoutNs;
    private final Patience patience;
    private final SilenceEffects effects;
    private final Questions questions;
    private final JudgeClock clock;
    private final SortedMap<ProcessId, Subject> subjects = new TreeMap<>();
    private final Complaints complaints = new Complaints();
    private final Hosts hosts = new Hosts();
    private boolean isSuspended;
    private boolean isHidden;

    /** The processes that are to end, and why; null while nothing is decided. */
    private Verdict verdict;

    /** @param timeoutNs the failure detector's */
    public SilenceJudge(long timeoutNs, SilenceEffects effects) {
        this(timeoutNs, timeoutNs, Long.MAX_VALUE, effects);
    }

    /**
     * @param startNs takes the place of the timeout until a process has answered for the first time, for members of a
     *     job on several hosts and for newcomers: before, it loads its classes, with all other processes of its host
     * @param leaseNs past which a host counts as lost in any case, since nothing on it may run any more
     */
    public SilenceJudge(long timeoutNs, long startNs, long leaseNs, SilenceEffects effects) {
        this.timeoutNs = timeoutNs;
        this.patience = new Patience(timeoutNs, startNs, leaseNs, hosts);
        this.effects = effects;
        this.questions = new Questions(timeoutNs, patience, subjects, complaints, effects);
        this.clock = new JudgeClock(Math.max(1, timeoutNs / STEPS_PER_TIMEOUT));
    }

    /**
     * The process is on this host; without this call it is on the launcher's own, which has index 0. Said before the
     * judge hears of the process by any other call.
     */
    public void placed(ProcessId process, int host, long nowNs) {
        hosts.place(process, host, clock.at(nowNs));
    }

    /** J4: the agent of a host was heard, on a line that stands: a message of it, or a new agent. */
    public void agentHeard(int host, long nowNs) {
        long atNs = clock.at(nowNs);
        Host there = hosts.at(host, atNs);
        there.hasAgent = true;
        there.heardNs = atNs;
        there.agentHeardNs = atNs;
    }

    /** J4: the line of a host's agent was lost. Nothing can be ended there until the agent, or a new one, is heard. */
    public void agentLost(int host, long nowNs) {
        hosts.at(host, clock.at(nowNs)).hasAgent = false;
    }

    /** The process runs in the world: it is judged by all that is known of it. */
    public void runs(ProcessId process, long nowNs) {
        long atNs = clock.at(nowNs);
        Subject subject = subject(process, nowNs);
        if (!subject.isMember) {
            subject.isMember = true;
            subject.isAwaited = false;
            subject.heardNs = atNs;
            subject.askedNs = atNs;
        }
    }

    /**
     * The process waits for a place, or is to end itself: it is judged by its state alone, unless a member complains of
     * it.
     */
    public void waits(ProcessId process, long nowNs) {
        clock.at(nowNs);
        Subject subject = subject(process, nowNs);
        if (subject.isMember) {
            subject.isMember = false;
            subject.isOpen = false;
            complaints.dropByAndAbout(process);
        }
    }

    /** The process has said goodbye, or its end is proven: it is judged no more. */
    public void leaves(ProcessId process, long nowNs) {
        clock.at(nowNs);
        complaints.dropByAndAbout(process);
        hosts.forget(process);
        if (subjects.remove(process) == null) {
            return;
        }
        if (verdict != null && verdict.isDoneWithout(process)) {
            beginAnew();
        }
        if (subjects.isEmpty()) {
            clock.stop();
        }
    }

    /**
     * Another coordinator lost the process with its host (J4), and all have marked it failed: it is ended once its
     * agent is heard.
     *
     * @param reason the words that follow the process's name
     */
    public void wasLost(ProcessId process, String reason, long nowNs) {
        Subject subject = subjects.get(process);
        if (subject != null) {
            subject.lostBecause = reason;
            subject.lostNs = clock.at(nowNs);
            subject.killedNs = subject.lostNs - timeoutNs;
        }
    }

    /**
     * Another coordinator has judged the process before. Until it is heard here, it has the time of a process that
     * begins, and no less than that: it has to find this coordinator first.
     *
     * @param withinNs how long that may take, besides the times in which {@link #hides}
     */
    public void returns(ProcessId process, long withinNs) {
        Subject subject = subjects.get(process);
        if (subject != null) {
            subject.isToReturn = true;
            subject.returnNs = withinNs;
        }
    }

    /** This coordinator cannot be found: no process that has to return is taken for silent, until {@link #shows}. */
    public void hides() {
        isHidden = true;
    }

    /** This coordinator can be found: the time of each process that has to return begins now. */
    public void shows(long nowNs) {
        isHidden = false;
        awaitReturns(clock.at(nowNs));
    }

    private void awaitReturns(long atNs) {
        for (Subject subject : subjects.values()) {
            if (subject.isToReturn) {
                subject.heardNs = atNs;
                subject.owesSinceNs = atNs;
                subject.isLast = false;
            }
        }
    }

    /** Another coordinator has given the process up: it is not judged again. */
    public void wasGivenUp(ProcessId process) {
        Subject subject = subjects.get(process);
        if (subject != null) {
            subject.isGivenUp = true;
        }
    }

    /** All processes have left. */
    public void clear() {
        subjects.clear();
        complaints.clear();
        beginAnew();
        clock.stop();
    }

    private Subject subject(ProcessId process, long nowNs) {
        Subject known = subjects.get(process);
        if (known != null) {
            return known;
        }
        Subject subject = new Subject(process, hosts.of(process, clock.at(nowNs)));
        subject.host.heardNs = clock.at(nowNs);
        subjects.put(process, subject);
        if (!clock.isRunning() && !isSuspended) {
            clock.runFrom(nowNs);
        }
        return subject;
    }

    /** Why the judge has this process ended; null if it has not. The reason is forgotten once the process leaves. */
    public String reasonOf(ProcessId process) {
        return verdict != null && verdict.isOf(process) ? verdict.reason : null;
    }

    /** J1: a member hears nothing of another. A complaint that was withdrawn, or is void, may come again. */
    public void suspects(ProcessId by, ProcessId about, long nowNs) {
        heardFrom(by, nowNs);
        Subject complainer = subjects.get(by);
        Subject accused = subjects.get(about);
        if (complainer == null || accused == null || complainer == accused) {
            return;
        }
        if (complainer.isMember && !accused.isMember && !accused.isAwaited) {
            await(accused, clock.at(nowNs));
        }
        // A process that was given up, or lost, counts as ended: a complaint that was on its way then is void (J5).
        if (!complainer.isOver() && !accused.isOver() && complaints.add(complainer, accused)) {
            accused.hasAnswered = false;
        }
    }

    /**
     * A member hears nothing of a process that waits, so the members have let it in. It may never be told so, and then
     * it would be silent for ever and waited for as long.
     */
    private static void await(Subject newcomer, long atNs) {
        newcomer.isAwaited = true;
        newcomer.heardNs = atNs;
        newcomer.askedNs = atNs;
    }

    /** J1: a member hears another again. */
    public void hears(ProcessId by, ProcessId about, long nowNs) {
        heardFrom(by, nowNs);
        complaints.withdraw(by, about);
    }

    /** The answer to {@link SilenceEffects#ask}. */
    public void answers(ProcessId process, long question, long nowNs) {
        heardFrom(process, nowNs);
        Subject subject = subjects.get(process);
        if (subject != null && subject.isOpen && subject.question == question) {
            subject.isOpen = false;
            subject.hasBegun = true;
            subject.answeredNs = clock.at(nowNs);
            subject.firstAnsweredNs = subject.hasAnswered ? subject.firstAnsweredNs : subject.answeredNs;
            subject.hasAnswered = true;
            complaints.dropStaleBy(process);
        }
    }

    /** The answer to {@link SilenceEffects#askComplainer} of a complainer that still hears nothing. */
    public void confirms(ProcessId by, long question, ProcessId about, long nowNs) {
        heardFrom(by, nowNs);
        Complaint complaint = complaints.of(by, about);
        if (complaint != null && complaint.question == question && complaint.about.hasAnswered) {
            complaints.confirm(complaint, clock.at(nowNs));
        }
    }

    /** A message of the process has come, with any content. */
    public void heardFrom(ProcessId process, long nowNs) {
        long atNs = clock.at(nowNs);
        Subject subject = subjects.get(process);
        if (subject != null) {
            subject.heardNs = atNs;
            subject.owesSinceNs = atNs;
            subject.host.heardNs = atNs;
            subject.isToReturn = false;
            subject.isLast = false;
            subject.isStill = false; // the process ran between two looks
        }
    }

    /**
     * The process has another connection. A question on the old one may be lost, or the withdrawal of a complaint. The
     * process says first which complaints it still makes, so its answer to a new question takes back all others. Each
     * has to be confirmed anew, but nothing else begins anew: the process may connect again and again.
     */
    public void connects(ProcessId process, long nowNs) {
        heardFrom(process, nowNs);
        boolean isComplainer = complaints.doubtThoseBy(process);
        Subject subject = subjects.get(process);
        if (subject != null && (subject.isOpen || isComplainer && subject.isJudged())) {
            questions.ask(subject, clock.at(nowNs));
        }
    }

    /**
     * The state of a process, as the system shows it.
     *
     * @param state its letter in {@code /proc/PID/stat}
     * @param isKillPending whether SIGKILL waits for it; need not be looked up before {@link SilenceEffects#kill}
     */
    public void looked(ProcessId process, char state, boolean isKillPending, long nowNs) {
        long atNs = clock.at(nowNs);
        Subject subject = subjects.get(process);
        if (subject == null) {
            return;
        }
        boolean isStill = isStill(state);
        // If two looks lie far apart, the process may have run in between: that does not count as still at every look.
        boolean isInARow = subject.isStill && atNs - subject.lookedNs <= timeoutNs / MOST_LOOKS_APART;
        if (isStill && !isInARow) {
            subject.stillSinceNs = atNs;
        }
        subject.isStill = isStill;
        subject.state = state;
        subject.lookedNs = atNs;
        subject.isKillPending = isKillPending;
    }

    /**
     * Whether a process in this state does not run, and will not run before something outside it changes: it is
     * stopped, traced, or waits for a disk.
     */
    public static boolean isStill(char state) {
        return state == 'T' || state == 't' || state == 'D';
    }

    /** The launcher is about to stop its processes and itself: nothing is judged until {@link #restart}. */
    public void suspend() {
        isSuspended = true;
        clock.stop();
    }

    /** All processes were continued: each silence is counted from now on. */
    public void restart(long nowNs) {
        isSuspended = false;
        if (!subjects.isEmpty()) {
            clock.runFrom(nowNs);
        }
        long atNs = clock.at(nowNs);
        for (Subject subject : subjects.values()) {
            subject.isStill = false;
            subject.heardNs = atNs;
            subject.owesSinceNs = atNs;
            subject.askedNs = atNs;
            subject.isLast = false;
        }
        hosts.restart(atNs);
        newCase();
        if (verdict != null) {
            verdict.killedNs = atNs;
        }
    }

    /** Whether no process complains and no process is about to end. */
    public boolean isIdle() {
        return verdict == null && complaints.isEmpty();
    }

    /** When {@link #onTick} is due, by the caller's clock. */
    public long nextDeadlineNs() {
        return clock.dueNs();
    }

    /** Takes the step that is due, if one is. */
    public void onTick(long nowNs) {
        if (!clock.isDue(nowNs)) {
            return;
        }
        long atNs = clock.at(nowNs);
        clock.runFrom(nowNs);
        if (isHidden) {
            awaitReturns(atNs);
        }
        questions.ask(atNs);
        loseHosts(atNs);
        endLost(atNs);
        if (verdict != null) {
            awaitEnd(atNs);
        } else {
            judgeStill(atNs);
            judgeMute(atNs);
            judgePaths(atNs);
        }
    }

    private void judgeStill(long atNs) {
        for (Subject subject : subjects.values()) {
            if (verdict == null
                    && !subject.isOver()
                    && subject.host.canEnd()
                    && subject.isStill
                    && subject.lookedNs - subject.stillSinceNs >= timeoutNs) {
                end(subject, "was silent for " + ms(timeoutNs) + " (state " + subject.state + ")", atNs);
            }
        }
    }

    private void judgeMute(long atNs) {
        if (isMuteMajority(atNs)) {
            return;
        }
        for (Subject subject : subjects.values()) {
            boolean isKnown = !subject.isLast || effects.isCoreWaitKnown(subject.id);
            subject.isWatched |= isKnown;
            if (!subject.isWatched) {
                // Its agent does not look yet whether the process waits for a core.
                subject.dueNs = Math.max(subject.dueNs, atNs + timeoutNs / 2);
            }
            if (verdict == null
                    && isKnown
                    && subject.isJudged()
                    && subject.isOpen
                    && subject.isLast
                    && subject.host.canEnd()
                    && atNs >= subject.dueNs
                    && subject.host.isAgentHeardSince(subject.dueNs)
                    && !isExcused(subject, atNs)) {
                long silentNs = atNs - questions.silentSinceNs(subject);
                end(subject, "was silent for " + ms(silentNs) + " (no answer to mpiexec)", atNs);
            }
        }
    }

    /** Whether too few members would be left if those were ended that have not answered their last question. */
    private boolean isMuteMajority(long atNs) {
        List<ProcessId> due = new ArrayList<>();
        for (Subject subject : subjects.values()) {
            if (isMuteElsewhere(subject) && atNs >= subject.dueNs) {
                due.add(subject.id);
            }
        }
        return !due.isEmpty() && isMinority(unheard(atNs), due);
    }

    /** Of a process of another host: after a standstill of the launcher it may have gone on without it. */
    private static boolean isMuteElsewhere(Subject subject) {
        return subject.host.index != 0 && subject.isJudged() && subject.isOpen && subject.isLast;
    }

    /** The processes of hosts that are silent, and those that have not answered their last question yet. */
    private List<ProcessId> unheard(long atNs) {
        List<ProcessId> unheard = new ArrayList<>();
        for (Subject subject : subjects.values()) {
            if (!subject.isOver() && (subject.host.isSilentFor(timeoutNs, atNs) || isMuteElsewhere(subject))) {
                unheard.add(subject.id);
            }
        }
        return unheard;
    }

    /**
     * Whether the launcher's side would be a minority without all these processes. It is told so once those that are
     * due to be lost or ended make it one; until then it waits for what becomes of the others.
     */
    private boolean isMinority(List<ProcessId> unheard, List<ProcessId> due) {
        if (!effects.isMinorityWithout(unheard)) {
            return false;
        }
        if (effects.isMinorityWithout(due)) {
            effects.endInMinority(due);
        }
        return true;
    }

    /**
     * J2: a process cannot answer while all cores are busy with others. If it waited for a core for more than a step,
     * that time is added to its deadline.
     */
    private boolean isExcused(Subject subject, long atNs) {
        long waitedNs = effects.waitedForCoreNs(subject.id);
        if (waitedNs < timeoutNs / STEPS_PER_TIMEOUT) {
            return false;
        }
        // The time is added to the old deadline and not to the present time: the judge comes late to each step, and a
        // thread that always waits would excuse the process for ever.
        subject.dueNs += waitedNs;
        return atNs < subject.dueNs;
    }

    /** J3: judges once all complaints are confirmed, and a while has passed since the first confirmation. */
    private void judgePaths(long atNs) {
        List<Complaint> valid = complaints.valid();
        if (verdict != null || valid.isEmpty() || !complaints.hasConfirmed()) {
            return;
        }
        for (Complaint complaint : valid) {
            if (!complaint.isConfirmed || atNs - complaints.confirmedNs() < patience.ofPath(complaint)) {
                return;
            }
        }
        Paths<Integer> ofHosts = new Paths<>(valid, subject -> subject.host.index);
        if (!ofHosts.isEmpty()) {
            int host = ofHosts.worst(this::membersOn);
            if (!hosts.at(host, atNs).canEnd()) {
                // Until its agent, or another one, is heard: nothing else could prove the ends.
                return;
            }
            effects.endHost(host);
            end(on(host), "is on host " + host + ", which " + ofHosts.reasonOf(host, "host"), atNs);
            return;
        }
        Paths<ProcessId> ofProcesses = new Paths<>(valid, subject -> subject.id);
        ProcessId worst = ofProcesses.worst(each -> subjects.get(each).isMember ? 1 : 0);
        if (subjects.get(worst).host.canEnd()) {
            end(subjects.get(worst), ofProcesses.reasonOf(worst, "rank"), atNs);
        }
    }

    /** How many ranks the end of a host costs. Spares and newcomers are no loss. */
    private int membersOn(int host) {
        int members = 0;
        for (Subject subject : on(host)) {
            members += subject.isMember ? 1 : 0;
        }
        return members;
    }

    /** The processes of a host that are not over yet. */
    private List<Subject> on(int host) {
        List<Subject> there = new ArrayList<>();
        for (Subject subject : subjects.values()) {
            if (subject.host.index == host && !subject.isOver()) {
                there.add(subject);
            }
        }
        return there;
    }

    private void end(Subject subject, String reason, long atNs) {
        end(List.of(subject), reason, atNs);
    }

    private void end(List<Subject> victims, String reason, long atNs) {
        verdict = new Verdict(victims, reason, atNs);
        for (Subject victim : victims) {
            effects.kill(victim.id, reason);
        }
    }

    /**
     * J4: the processes of a host of which nothing at all was heard for long enough are lost. All that is not heard is
     * counted before the first host is lost: a network that parts parts several together, and each is lost at another
     * step.
     */
    private void loseHosts(long atNs) {
        List<Host> due = new ArrayList<>();
        List<ProcessId> gone = new ArrayList<>();
        for (Host host : hosts.all()) {
            if (host.isSilentFor(timeoutNs, atNs) && host.isSilentFor(patience.ofHost(on(host.index)), atNs)) {
                due.add(host);
                on(host.index).forEach(subject -> gone.add(subject.id));
            }
        }
        if (gone.isEmpty() || !isMinority(unheard(atNs), gone)) {
            due.forEach(host -> lose(host, atNs));
        }
    }

    private void lose(Host host, long atNs) {
        List<ProcessId> lost = new ArrayList<>();
        String reason = "is on host " + host.index + ", which was silent for " + ms(atNs - host.heardNs);
        for (Subject subject : on(host.index)) {
            subject.lostBecause = reason;
            subject.lostNs = atNs;
            subject.killedNs = atNs - timeoutNs;
            complaints.dropByAndAbout(subject.id);
            if (verdict != null && verdict.isDoneWithout(subject.id)) {
                beginAnew();
            }
            lost.add(subject.id);
        }
        if (!lost.isEmpty()) {
            effects.lose(host.index, lost, reason);
        }
    }

    /** J4: an agent that is heard again ends what all have marked failed meanwhile. */
    private void endLost(long atNs) {
        for (Subject subject : subjects.values()) {
            boolean isBack =
                    subject.lostBecause != null && subject.host.canEnd() && subject.host.agentHeardNs > subject.lostNs;
            if (isBack && atNs - subject.killedNs >= timeoutNs / 2) {
                subject.killedNs = atNs;
                effects.kill(subject.id, subject.lostBecause);
            }
        }
    }

    /**
     * Sends SIGKILL again until it is pending. Gives the process up if the pending signal does not end it, as for a
     * process that waits for a disk.
     */
    private void awaitEnd(long atNs) {
        if (atNs - verdict.killedNs < timeoutNs / 2) {
            return;
        }
        String reason = verdict.reason;
        List<Subject> victims = List.copyOf(verdict.victims);
        verdict.killedNs = atNs;
        for (Subject victim : victims) {
            if (victim.isKillPending) {
                giveUp(victim, reason);
            } else {
                effects.kill(victim.id, reason);
            }
        }
    }

    private void giveUp(Subject victim, String reason) {
        victim.isGivenUp = true;
        complaints.dropByAndAbout(victim.id);
        if (verdict != null && verdict.isDoneWithout(victim.id)) {
            beginAnew();
        }
        effects.giveUp(victim.id, reason);
    }

    private void beginAnew() {
        verdict = null;
        newCase();
    }

    private void newCase() {
        complaints.reset();
        for (Subject subject : subjects.values()) {
            subject.hasAnswered = false;
        }
    }

    private static String ms(long ns) {
        return ns / NS_PER_MS + " ms";
    }
}
