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
 * The state of each process of a job, static or elastic, and whether it means the end of the job. A world can only
 * begin complete, so before all have joined the job ends at each loss for which no other process comes. Once the world
 * runs, a job that survives failures goes on. Pure; used by one thread.
 *
 * <p>Per slot one process is the <em>member</em>: before the world runs, the process that was started last; then, the
 * process that the world has admitted. A process that was started after the member is a newcomer: it counts once the
 * world has admitted it. This class knows a spare only once the spare has a place.
 *
 * <p>In an elastic job, slot and incarnation are the number of a child and 0, and {@link Membership} says which
 * children are members.
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

    /** The ledger of an elastic job, which survives failures. */
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

    /** Notes that another process will come for this slot, so that the end of the last one does not end the job. */
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
     * The program begins, or begins again after a whole world has died. The members are the last processes of all
     * slots.
     */
    void formed() {
        isFormed = true;
        epoch = 0;
        takeLastProcesses();
    }

    /** An elastic world has these members now: in epoch 0 a world that begins. */
    void membersAre(int newEpoch, Map<ProcessId, Integer> slotOfMember) {
        if (newEpoch == 0) {
            elastic.begin();
        }
        elastic.set(newEpoch, slotOfMember);
    }

    /**
     * The world has admitted newcomers.
     *
     * @param newEpoch the world's epoch; an older epoch that is reported late is ignored
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

    /** Notes that all members have died and that the last processes of all slots are to begin a new world. */
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

    /** Notes that the process has left the others, in a word or a clause why, and is about to end. */
    void left(ProcessId process, String why) {
        entry(process).leftBecause = why;
    }

    boolean hasLeft(ProcessId process) {
        return entry(process).leftBecause != null;
    }

    /**
     * Notes that all processes have been told to end: from here on the exit code of a process that still lives does not
     * count.
     */
    void toldToEnd() {
        isTold = true;
    }

    /** Notes that this process was told to end, so that its exit code does not count. */
    void toldToEnd(ProcessId process) {
        entry(process).isToldToEnd = true;
    }

    /** Whether the process was told to end before it died. */
    boolean isEndedByLauncher(ProcessId process) {
        Entry entry = entries.get(process);
        return entry != null && entry.isEndedByLauncher;
    }

    /**
     * Notes that another host could not start this process of an elastic job. Its end is about to come, and does not
     * mean that those of other hosts cannot begin.
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
     * Notes that the process was reaped. Returns why the job must end if no other process follows; null if it goes on
     * anyway.
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
     * Why an elastic world can not begin any more; null if it still may: while other launchers may bring processes, and
     * while there are enough that wait, or have not called Init yet.
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

    /** Whether the last call of an elastic world need not last: each child of this launcher has joined or has ended. */
    boolean haveAllOwnJoined() {
        for (ProcessId child : elastic.own()) {
            Entry entry = entries.get(child);
            if (entry == null || !entry.isJoined && !entry.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the process was started, as far as the launcher knows. */
    boolean isKnown(ProcessId process) {
        return entries.containsKey(process);
    }

    /** This launcher has started another process of an elastic job. */
    void isOwnToo(ProcessId child) {
        elastic.own(child);
    }

    /** Whether this launcher has started the process. */
    boolean isOwn(ProcessId process) {
        return elastic == null || elastic.isOwn(process);
    }

    /**
     * SIGKILL does not end the process. The job counts it as killed. If the process ends later, that is recorded as any
     * end is.
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

    /** Whether no started process still runs, and no other one is to come. */
    boolean haveAllEnded() {
        for (Entry entry : entries.values()) {
            if (!entry.isOver()) {
                return false;
            }
        }
        return awaited.isEmpty();
    }

    /**
     * Whether the program is over, so that a process that still waits for a place in it need not: all members have
     * ended, and one of them had finalized, to which all had agreed.
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

    /** The name of a process for users: {@code rank 2'1}; in an elastic job as {@link Membership#title}. */
    String title(ProcessId process) {
        return elastic == null ? "rank " + process : elastic.title(process);
    }

    /** The slot of a process; -1 for a child of an elastic job that has none. */
    int slot(ProcessId process) {
        return elastic == null ? process.slot() : elastic.slot(process);
    }

    /** The key of a process in this ledger, by its rank; null if no child of an elastic job has the rank. */
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

    /** How many slots the job has; in an elastic one, how many numbers were given to children. */
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

    /** Whether the process is in the program, between Init and Finalize, as far as the launcher knows. */
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
     * Whether the process may still do something that others notice: it has joined, as a member or a newcomer, and has
     * not ended, said goodbye or left.
     */
    boolean mayTakePart(ProcessId process) {
        return hasJoined(process) && !hasLeft(process) && !isGone(process);
    }

    /** Whether the process has died, has finalized, or was given up. */
    boolean isGone(ProcessId process) {
        Entry entry = entries.get(process);
        return entry != null && (entry.isDead || entry.isFinalized || entry.isGivenUp);
    }

    /**
     * Returns the words for a slot whose member is not in the program: what has become of that member. They begin with
     * a verb.
     */
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
        return entry.isJoined ? "is in MPI.Init, until all have called it" : "has not called MPI.Init";
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
     * Whether the end of a process is judged. Where no elastic world has begun, the ends of all processes of this
     * launcher are.
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

        /** Whether the process need not be waited for: it has ended or was given up. */
        private boolean isOver() {
            return hasEnded || isGivenUp;
        }
    }
}
