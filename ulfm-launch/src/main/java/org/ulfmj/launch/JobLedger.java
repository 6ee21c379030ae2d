package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.ExitText;
import org.ulfmj.launch.end.ProcessOutcome;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.leave.Preemption;

/**
 * The state of each process of a job, static or elastic, and the decision whether its end must end the job. The world
 * of a static job can only begin complete: so before all have joined, the loss of a process ends the job unless another
 * process comes for it; if the process ended with code 0 before any had joined, only once one joins. Once the world
 * runs, a job with fault tolerance goes on after failures. Pure; used by one thread.
 *
 * <p>Per slot one process is the <em>member</em>: before the world runs, the process that was started last; after that,
 * the process that the world has admitted. A process that was started after the member is a newcomer: its end does not
 * count before the world has admitted it. This class knows a spare only once the spare has a place.
 *
 * <p>In an elastic job the key of a process has the number of a child as its slot and the incarnation 0. The class
 * {@link Membership} knows which children are members.
 */
final class JobLedger {
    /** The exit code of a process that SIGKILL ends. */
    private static final int KILLED = 128 + 9;

    private final boolean isFaultTolerant;
    private final int size;
    private final SortedMap<ProcessId, Entry> entries = new TreeMap<>();
    private final int[] members;
    /** Null in a static job. */
    private final Membership elastic;

    private final Set<ProcessId> heldForFailed = new TreeSet<>();

    /** Slots that will have another process. */
    private final Set<Integer> awaited = new TreeSet<>();

    private boolean isFormed;
    private boolean isTold;
    private boolean hasWorldGone;
    private int epoch;

    JobLedger(int size, boolean isFaultTolerant) {
        this(size, isFaultTolerant, null);
    }

    /** Makes the ledger of an elastic job, which is always fault-tolerant. */
    JobLedger(Membership elastic) {
        this(0, true, elastic);
    }

    private JobLedger(int size, boolean isFaultTolerant, Membership elastic) {
        this.isFaultTolerant = isFaultTolerant;
        this.size = size;
        this.members = new int[size];
        this.elastic = elastic;
    }

    void started(ProcessId process) {
        entries.put(process, new Entry());
        awaited.remove(process.slot());
        if (!isFormed && elastic == null) {
            members[process.slot()] = process.incarnation();
        }
    }

    /**
     * Notes that another process will come for this slot, so that the end of the last one there does not end the job.
     */
    void awaitsNext(int slot) {
        awaited.add(slot);
    }

    /** Notes that no other process will come for this slot after all. */
    void awaitsNoMore(int slot) {
        awaited.remove(slot);
    }

    /** Notes that the process has joined. Returns why the job must end; null if it goes on. */
    EndReason joined(ProcessId process) {
        entry(process).isJoined = true;
        if (isFormed) {
            return null;
        }
        if (elastic != null) {
            return whyHopeless(process);
        }
        for (int slot = 0; slot < size; slot++) {
            Entry other = entries.get(member(slot));
            if (other != null && other.hasEnded && !other.isJoined && !awaited.contains(slot)) {
                return endedBeforeInit(member(slot));
            }
        }
        return null;
    }

    /**
     * Notes that the program begins, or begins again after a whole world has died. In a static job the members are the
     * processes that were started last in all slots.
     */
    void formed() {
        isFormed = true;
        epoch = 0;
        takeLastProcesses();
    }

    /** Notes that an elastic world has these members now; epoch 0 means that a world begins. */
    void membersAre(int newEpoch, Map<ProcessId, Integer> slotOfMember) {
        if (newEpoch == 0) {
            elastic.begin();
        }
        elastic.set(newEpoch, slotOfMember);
    }

    /**
     * Notes that the world runs in a later epoch, and which processes are its members.
     *
     * @param newEpoch the world's epoch; an epoch that is not newer than the present one is ignored
     * @param incarnations of the members, by slot
     */
    void committed(int newEpoch, Map<Integer, Integer> incarnations) {
        if (newEpoch <= epoch) {
            return;
        }
        epoch = newEpoch;
        for (Map.Entry<Integer, Integer> member : incarnations.entrySet()) {
            members[member.getKey()] = member.getValue();
        }
    }

    /**
     * Notes that all members have died. In a static job the processes started last in all slots will begin a new world.
     */
    void worldGone() {
        isFormed = false;
        hasWorldGone = true;
        takeLastProcesses();
    }

    boolean hasWorldGone() {
        return hasWorldGone;
    }

    private void takeLastProcesses() {
        if (elastic != null) {
            return;
        }
        for (ProcessId process : entries.keySet()) {
            members[process.slot()] = process.incarnation();
        }
    }

    void finalized(ProcessId process, Set<Integer> heldFailed) {
        entry(process).isFinalized = true;
        for (int slot : heldFailed) {
            heldForFailed.add(member(slot));
        }
    }

    /**
     * Notes that the process has left the others and is about to end.
     *
     * @param why the reason, as a word or a clause
     */
    void left(ProcessId process, String why) {
        entry(process).leftBecause = why;
    }

    boolean hasLeft(ProcessId process) {
        return entry(process).leftBecause != null;
    }

    /**
     * Notes that all processes have been told to end: the exit codes of processes that end from now on do not count.
     */
    void toldToEnd() {
        isTold = true;
    }

    /** Notes that this process was told to end, so that its exit code does not count. */
    void toldToEnd(ProcessId process) {
        entry(process).isToldToEnd = true;
    }

    /** Whether the process had been told to end when it died. */
    boolean isEndedByLauncher(ProcessId process) {
        Entry entry = entries.get(process);
        return entry != null && entry.isEndedByLauncher;
    }

    /**
     * Notes that this process of an elastic job could not be started on another host. Its end is about to be reported,
     * and does not mean that the processes of other hosts cannot begin.
     */
    void notStarted(ProcessId process) {
        entry(process).isNotStarted = true;
    }

    /** Notes that the process is dead for certain. Returns false if that was known before. */
    boolean died(ProcessId process) {
        Entry entry = entry(process);
        boolean isNews = !entry.isDead;
        if (isNews) {
            entry.isDead = true;
            entry.isEndedByLauncher = isTold || entry.isToldToEnd;
        }
        return isNews;
    }

    /**
     * Notes that the process was reaped. Returns why the job must end unless another process follows; null if the job
     * goes on anyway.
     */
    EndReason ended(ProcessId process, int exitCode) {
        Entry entry = entry(process);
        died(process);
        entry.hasEnded = true;
        entry.exitCode = exitCode;
        if (!isOwn(process)) {
            return isFormed ? null : whyHopeless(process);
        }
        if (!hasAnybodyJoined() && !entry.isNotStarted) {
            return exitCode == 0 ? null : EndReason.failure(describe(process));
        }
        if (isFormed && !isMember(process)) {
            return null;
        }
        if (elastic != null && !isFormed) {
            return whyHopeless(process);
        }
        if (!entry.isJoined) {
            return endedBeforeInit(process);
        }
        if (!isFormed) {
            return EndReason.notFormed(
                    describe(process) + (hasWorldGone ? " after all ranks had died" : " during MPI.Init"));
        }
        boolean isWell = exitCode == 0 && entry.isFinalized;
        return isFaultTolerant || isWell
                ? null
                : EndReason.failure(describe(process) + (exitCode == 0 ? " without having called Finalize" : ""));
    }

    /**
     * Returns why an elastic world cannot begin any more; null if it still can: because other launchers may bring
     * processes, or because enough processes are left that have not ended.
     */
    private EndReason whyHopeless(ProcessId process) {
        int left = 0;
        for (Entry entry : entries.values()) {
            left += entry.isOver() ? 0 : 1;
        }
        if (elastic.isOpenToOthers() || left >= elastic.min()) {
            return null;
        }
        return EndReason.notFormed((entry(process).hasEnded ? describe(process) + ", and too" : "too")
                + " few processes are left for a world: " + left + " of at least " + elastic.min());
    }

    /**
     * Whether each child of this launcher has joined, has ended or was given up, so that the world need not wait for
     * further ones before it begins.
     */
    boolean haveAllOwnJoined() {
        for (ProcessId child : elastic.own()) {
            Entry entry = entries.get(child);
            if (entry == null || !entry.isJoined && !entry.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the ledger knows the process, as one that was started or has joined. */
    boolean isKnown(ProcessId process) {
        return entries.containsKey(process);
    }

    /** Notes that this launcher has started another process of an elastic job. */
    void isOwnToo(ProcessId child) {
        elastic.own(child);
    }

    /** Whether this launcher has started the process. */
    boolean isOwn(ProcessId process) {
        return elastic == null || elastic.isOwn(process);
    }

    /**
     * Notes that the process is not waited for any longer. The job counts it as killed. If the process ends later, that
     * is recorded like any other end.
     */
    void givenUp(ProcessId process) {
        entry(process).isGivenUp = true;
    }

    boolean hasJoined(ProcessId process) {
        return entry(process).isJoined;
    }

    boolean hasFinalized(ProcessId process) {
        return entry(process).isFinalized;
    }

    boolean hasAnybodyDied() {
        for (Entry entry : entries.values()) {
            if (entry.isDead) {
                return true;
            }
        }
        return false;
    }

    boolean isFormed() {
        return isFormed;
    }

    /** Whether all started processes have ended or were given up, and no other process is to come. */
    boolean haveAllEnded() {
        for (Entry entry : entries.values()) {
            if (!entry.isOver()) {
                return false;
            }
        }
        return awaited.isEmpty();
    }

    /**
     * Whether the program has ended, so that processes which wait for a place in it are not needed: all members have
     * ended or were given up, and at least one process has finalized.
     */
    boolean isOver() {
        if (!isFormed || !hasAnybodyFinalized()) {
            return false;
        }
        for (int slot = 0; slot < size(); slot++) {
            Entry member = entries.get(member(slot));
            if (member != null && isMember(member(slot)) && !member.isOver()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the name of a process for users: {@code rank 2'1}; in an elastic job the one of {@link Membership#title}.
     */
    String title(ProcessId process) {
        return elastic == null ? "rank " + process : elastic.title(process);
    }

    /** Returns the slot of a process; -1 for a child of an elastic job that has none. */
    int slot(ProcessId process) {
        return elastic == null ? process.slot() : elastic.slot(process);
    }

    /** Returns the ledger's key of the process with this rank; null if no child of an elastic job has the rank. */
    ProcessId ofRank(ProcessId rank) {
        return elastic == null ? rank : elastic.childOf(rank.slot());
    }

    /** How a process ended, for people. */
    String describe(ProcessId process) {
        String left = entry(process).leftBecause;
        String how =
                isOwn(process) ? ExitText.of(entry(process).exitCode) : "has ended; another mpiexec had started it";
        return title(process) + " " + (left == null ? how : "has left: " + left);
    }

    /** Returns how many slots the job has; in an elastic job, the highest number of a known child plus 1, or 0. */
    int size() {
        return elastic == null
                ? size
                : entries.isEmpty() ? 0 : entries.lastKey().slot() + 1;
    }

    /** Whether this process is the member of its slot. */
    boolean isMember(ProcessId process) {
        return elastic == null ? members[process.slot()] == process.incarnation() : elastic.isMember(process);
    }

    /** The member of a slot. */
    ProcessId member(int slot) {
        return elastic == null ? new ProcessId(slot, members[slot]) : Membership.child(slot);
    }

    /**
     * Whether the world runs and the process is a member that has joined and, as far as the launcher knows, has neither
     * finalized nor ended, and was not given up.
     */
    boolean isRunning(ProcessId process) {
        Entry entry = entries.get(process);
        return isFormed
                && isMember(process)
                && entry != null
                && entry.isJoined
                && !entry.isFinalized
                && !entry.isDead
                && !entry.isGivenUp;
    }

    /**
     * Whether the process may still do something that other processes notice: it has joined, as a member or a newcomer,
     * and has not ended, finalized or left, nor was given up.
     */
    boolean mayTakePart(ProcessId process) {
        return hasJoined(process) && !hasLeft(process) && !isGone(process);
    }

    /** Whether the process has died, has finalized, or was given up. */
    boolean isGone(ProcessId process) {
        Entry entry = entries.get(process);
        return entry != null && (entry.isDead || entry.isFinalized || entry.isGivenUp);
    }

    /** Returns in words, beginning with a verb, what has become of a slot's member. */
    String standing(int slot) {
        ProcessId process = member(slot);
        Entry entry = entries.get(process);
        if (entry == null) {
            return "has not been started";
        }
        if (entry.isFinalized) {
            return entry.hasEnded ? "has finalized" : "has finalized; its process has not ended yet";
        }
        if (entry.isGivenUp && !entry.isDead) {
            return "is not ended by SIGKILL; no process waits for it";
        }
        if (entry.isDead) {
            String end = entry.leftBecause == null ? ExitText.of(entry.exitCode) : "has left: " + entry.leftBecause;
            return (entry.hasEnded ? end : "is dead") + successor(process);
        }
        if (entry.isJoined) {
            return isFormed ? "has called MPI.Init" : "is in MPI.Init, until all have called it";
        }
        return "has not called MPI.Init";
    }

    private String successor(ProcessId dead) {
        ProcessId last = dead;
        for (ProcessId process : entries.keySet()) {
            if (process.slot() == dead.slot()) {
                last = process;
            }
        }
        if (awaited.contains(dead.slot())) {
            return "; it will be started again";
        }
        if (last.equals(dead)) {
            return "";
        }
        Entry newcomer = entries.get(last);
        if (newcomer.isDead) {
            return "; so did rank " + last + ", started in its place";
        }
        return "; rank " + last
                + (newcomer.isJoined ? " waits in MPI.Init to take its place" : " has been started in its place");
    }

    /** Returns the outcomes of all processes that ended or were given up, in the order of their ids. */
    List<ProcessOutcome> outcomes() {
        List<ProcessOutcome> outcomes = new ArrayList<>();
        for (Map.Entry<ProcessId, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            if (entry.isOver()) {
                outcomes.add(new ProcessOutcome(
                        each.getKey(),
                        entry.hasEnded ? entry.exitCode : KILLED,
                        counts(each.getKey()),
                        entry.isJoined,
                        entry.isFinalized,
                        Preemption.HANDLED.equals(entry.leftBecause),
                        heldForFailed.contains(each.getKey()),
                        entry.isEndedByLauncher));
            }
        }
        return outcomes;
    }

    /**
     * Whether the end of this process counts for the job's exit code: the ends of members that this launcher started
     * do. If no elastic world has begun, the ends of all processes of this launcher count.
     */
    private boolean counts(ProcessId process) {
        return isOwn(process) && (isMember(process) || elastic != null && !isFormed && !hasWorldGone);
    }

    boolean hasAnybodyJoined() {
        for (Entry entry : entries.values()) {
            if (entry.isJoined) {
                return true;
            }
        }
        return false;
    }

    boolean hasAnybodyFinalized() {
        for (Entry entry : entries.values()) {
            if (entry.isFinalized) {
                return true;
            }
        }
        return false;
    }

    private Entry entry(ProcessId process) {
        Entry entry = entries.get(process);
        if (entry == null) {
            throw new IllegalStateException("process " + process + " was never started; there are " + entries.keySet());
        }
        return entry;
    }

    private EndReason endedBeforeInit(ProcessId process) {
        return EndReason.notFormed("rank " + process + " ended before MPI.Init (" + ExitText.of(entry(process).exitCode)
                + "), and the others cannot begin without it");
    }

    private static final class Entry {
        /** Null if it has not left. */
        private String leftBecause;

        private boolean isNotStarted;
        private boolean isJoined;
        private boolean isFinalized;
        private boolean isDead;
        private boolean hasEnded;
        private boolean isToldToEnd;
        private boolean isEndedByLauncher;
        private boolean isGivenUp;
        private int exitCode;

        /** Whether this process need not be waited for: it has ended or was given up. */
        private boolean isOver() {
            return hasEnded || isGivenUp;
        }
    }
}
