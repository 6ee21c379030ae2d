package org.ulfmj.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Decides which process is ended when a process falls silent, so that no rank need mark another on its own suspicion
 * (rules J1 to J5 of the rendezvous, for processes and hosts). A silence is one of four things:
 *
 * <ul>
 *   <li>A process is seen unable to run (state T, t or D) at each look for a whole timeout: it is ended.
 *   <li>A member does not answer the launcher. Each member is asked once per timeout. A member that has been silent for
 *       a timeout is asked a last time, and is ended if it does not answer within half a timeout (J2), not counting the
 *       time in which it waited for a core.
 *   <li>Two members answer the launcher, and one does not hear the other. The one complained of sends its complainers
 *       heartbeats before it answers. Half a timeout later the complainers are asked. If they still hear nothing, and
 *       for another half after the first of them has confirmed that, the process with the most lost paths is ended
 *       (J3). Between hosts, both waits are a whole timeout, the paths are those of hosts, and a whole host is ended:
 *       its other processes would lose the same path.
 *   <li>A host is silent as a whole, its agent and every process: its processes count as failed on suspicion (J4), and
 *       its agent ends these processes if the agent is heard again.
 * </ul>
 *
 * <p>Apart from processes of lost hosts, only one process or host is ended at a time (J5), by SIGKILL; the caller tells
 * this object when the end is proven. A process that SIGKILL does not end is given up: it counts as failed without
 * proof.
 *
 * <p>Pure and single-threaded. {@link #onTick} is called only once every message that has arrived was passed on. If a
 * call is late by more than a step, the launcher itself is assumed to have stood still, and the delay counts against no
 * process.
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

    /** The decision which processes are to end, and why; null while nothing is decided. */
    private Verdict verdict;

    /** @param timeoutNs the failure detector's */
    public SilenceJudge(long timeoutNs, SilenceEffects effects) {
        this(timeoutNs, timeoutNs, Long.MAX_VALUE, effects);
    }

    /**
     * @param startNs how long a process may be silent until it has answered for the first time; counts instead of the
     *     timeout for members of a job on several hosts and for newcomers, which load their classes at the same time as
     *     all other processes of their host
     * @param leaseNs how long a host may be silent at most before it counts as lost
     */
    public SilenceJudge(long timeoutNs, long startNs, long leaseNs, SilenceEffects effects) {
        this.timeoutNs = timeoutNs;
        this.patience = new Patience(timeoutNs, startNs, leaseNs, hosts);
        this.effects = effects;
        this.questions = new Questions(timeoutNs, patience, subjects, complaints, effects);
        this.clock = new JudgeClock(Math.max(1, timeoutNs / STEPS_PER_TIMEOUT));
    }

    /**
     * Tells the judge that a process is on this host; without this call it counts as one of the launcher's own host,
     * which has index 0. To be called before any other call that names the process.
     */
    public void placed(ProcessId process, int host, long nowNs) {
        hosts.place(process, host, clock.at(nowNs));
    }

    /** J4: the agent of a host was heard: a message of it has come, or a new agent has connected. Its line stands. */
    public void agentHeard(int host, long nowNs) {
        long atNs = clock.at(nowNs);
        Host there = hosts.at(host, atNs);
        there.hasAgent = true;
        there.heardNs = atNs;
        there.agentHeardNs = atNs;
    }

    /**
     * J4: the line to a host's agent was lost. No process of the host can be ended until the agent, or a new one, is
     * heard.
     */
    public void agentLost(int host, long nowNs) {
        hosts.at(host, clock.at(nowNs)).hasAgent = false;
    }

    /** The process is a member of the running world: it is judged by its state, by its answers and by complaints. */
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
     * The process waits for a place, or was told to end itself: it is judged only by its state in {@code /proc}, unless
     * a member complains of it.
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

    /** The process has said goodbye, left or was refused, or its end is proven: it is judged no more. */
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
     * A coordinator before this one took the process for lost together with its host (J4): it counts as failed, and is
     * ended once the agent of its host is heard.
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
     * Another coordinator has judged the process before. Until this coordinator hears the process, the process is
     * allowed at least this time, and no less than a process that begins: it has to find this coordinator first.
     *
     * @param withinNs how long that may take, not counting the times in which {@link #hides this coordinator cannot be
     *     found}
     */
    public void returns(ProcessId process, long withinNs) {
        Subject subject = subjects.get(process);
        if (subject != null) {
            subject.isToReturn = true;
            subject.returnNs = withinNs;
        }
    }

    /**
     * This coordinator cannot be found for the time being: no process that has to return to it counts as silent until
     * {@link #shows}.
     */
    public void hides() {
        isHidden = true;
    }

    /** This coordinator can be found from now on: the time within which each process has to return begins now. */
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

    /**
     * A coordinator before this one has given the process up, because SIGKILL did not end it: it is not judged again.
     */
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

    /**
     * The reason for which the judge is ending this process; null if there is no such decision, or if the process has
     * left, was given up or was lost with its host since.
     */
    public String reasonOf(ProcessId process) {
        return verdict != null && verdict.isOf(process) ? verdict.reason : null;
    }

    /**
     * J1: a member complains that it hears nothing of another process. A complaint that was withdrawn, or is void, may
     * be made again.
     */
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
        // A process that was given up, or lost with its host, counts as ended: a complaint by or about it that was
        // already on its way is void (J5).
        if (!complainer.isOver() && !accused.isOver() && complaints.add(complainer, accused)) {
            accused.hasAnswered = false;
        }
    }

    /**
     * A member complains of a process that waits for a place, so the members have let that process in. From now on it
     * is judged like a member: if the word that lets it in never reached it, it would otherwise be silent for ever, and
     * the members would wait for it as long.
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
     * The process has a new connection. A question on the old one may be lost, or the withdrawal of a complaint. On the
     * new connection the process first repeats the complaints that it still makes, so its answer to a new question
     * shows that all others are withdrawn. Each repeated complaint has to be confirmed anew.
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
     * The launcher has looked up the state of a process in {@code /proc}.
     *
     * @param state its letter in {@code /proc/PID/stat}
     * @param isKillPending whether SIGKILL is pending for the process; may be false without a look before
     *     {@link SilenceEffects#kill}
     */
    public void looked(ProcessId process, char state, boolean isKillPending, long nowNs) {
        long atNs = clock.at(nowNs);
        Subject subject = subjects.get(process);
        if (subject == null) {
            return;
        }
        boolean isStill = isStill(state);
        // If two looks lie far apart, the process may have run in between: then the time in which it counts as still
        // begins anew.
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

    /**
     * Nothing is judged until {@link #restart}: the launcher is about to stop its processes and itself, or its messages
     * are held back.
     */
    public void suspend() {
        isSuspended = true;
        clock.stop();
    }

    /** All processes were continued, or the messages leave again: each silence is counted from now on. */
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

    /** Whether no process complains, and no process is about to end but those of lost hosts. */
    public boolean isIdle() {
        return verdict == null && complaints.isEmpty();
    }

    /**
     * When {@link #onTick} is due, in the caller's time and not in that of the judge's clock; {@link Long#MAX_VALUE}
     * while nothing is judged.
     */
    public long nextDeadlineNs() {
        return clock.dueNs();
    }

    /** Asks the questions that are due and decides what has to be decided, if a step is due. */
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
                // The agent of the process's host does not report yet whether the process waits for a core, so the
                // deadline of the last question moves on.
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

    /**
     * Whether the launcher's side would be a minority without the members of other hosts that are silent or have not
     * answered their last question. Only asked once one of the latter is past its deadline.
     */
    private boolean isMuteMajority(long atNs) {
        List<ProcessId> due = new ArrayList<>();
        for (Subject subject : subjects.values()) {
            if (isMuteElsewhere(subject) && atNs >= subject.dueNs) {
                due.add(subject.id);
            }
        }
        return !due.isEmpty() && isMinority(unheard(atNs), due);
    }

    /**
     * Whether a member that runs on another host than the launcher's has not answered its last question. After a
     * standstill of the launcher, such a member may have gone on without the launcher.
     */
    private static boolean isMuteElsewhere(Subject subject) {
        return subject.host.index != 0 && subject.isJudged() && subject.isOpen && subject.isLast;
    }

    /**
     * The processes of hosts that have been silent for a timeout, and the members of other hosts that have not answered
     * their last question yet.
     */
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
     * Whether the launcher's side would be a minority without all processes that are not heard. The owner is told to
     * end in a minority once the processes that are due to be lost or ended suffice for that; until then the judge
     * waits for what becomes of the others.
     *
     * @param unheard all processes that are not heard now
     * @param due those of them that are due to be lost or ended in this step
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
     * J2: whether the deadline of a process's last question is put off. A process cannot answer while all cores are
     * busy with others: if it waited for a core for a step or longer, that time is added to its deadline.
     */
    private boolean isExcused(Subject subject, long atNs) {
        long waitedNs = effects.waitedForCoreNs(subject.id);
        if (waitedNs < timeoutNs / STEPS_PER_TIMEOUT) {
            return false;
        }
        // The waiting time is added to the old deadline and not to the present time: the judge is late at each step,
        // and a thread that always waits for a core would excuse the process for ever.
        subject.dueNs += waitedNs;
        return atNs < subject.dueNs;
    }

    /**
     * J3: ends a process, or the processes of a host, because of lost paths. Decides only once all complaints are
     * confirmed, and a while has passed since the first confirmation.
     */
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
                // The judge waits until the agent of that host, or a new agent, is heard: without one the ends could
                // not be proven.
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

    /** How many members run on a host, which is what its end would cost. Spares and newcomers do not count. */
    private int membersOn(int host) {
        int members = 0;
        for (Subject subject : on(host)) {
            members += subject.isMember ? 1 : 0;
        }
        return members;
    }

    /** The processes of a host, without those that were given up or lost already. */
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
     * J4: takes the processes of a host for lost when no message at all came from the host for long enough. All hosts
     * and members that are silent are counted before the first host is lost: a network split cuts off several hosts
     * together, but each reaches its limit at another step.
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

    /**
     * J4: once the agent of a lost host is heard again, kills the processes that were lost with that host, again and
     * again until they have ended.
     */
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
     * Sends SIGKILL again to each process of the verdict until the signal is pending. Gives a process up if the pending
     * signal does not end it, as when it waits for a disk.
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
