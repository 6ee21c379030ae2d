package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * What is known of each process of a job, and whether that means its end. A world can only begin complete, so before
 * all have joined every loss that is not made up for ends the job; afterwards one that survives failures goes on. Pure;
 * used by one thread.
 *
 * <p>Of each slot one process is the <em>member</em>: before the world runs the last that was started, then the one
 * that the world says it has. What comes after it is a newcomer: it counts from the moment that the world has taken it
 * in. Spares are no concern of this class until they have a place.
 */
final class JobLedger {
    /** How a process ends that SIGKILL ends. */
    private static final int KILLED = 128 + 9;

    private final boolean isFaultTolerant;
    private final int size;
    private final SortedMap<ProcessId, Entry> entries = new TreeMap<>();
    private final int[] members;
    private final Set<ProcessId> heldForFailed = new TreeSet<>();

    /** Slots that will have another process. */
    private final Set<Integer> awaited = new TreeSet<>();

    private boolean isFormed;
    private boolean isTold;
    private boolean hasWorldGone;
    private int epoch;

    JobLedger(int size, boolean isFaultTolerant) {
        this.isFaultTolerant = isFaultTolerant;
        this.size = size;
        this.members = new int[size];
    }

    void started(ProcessId process) {
        entries.put(process, new Entry());
        awaited.remove(process.slot());
        if (!isFormed) {
            members[process.slot()] = process.incarnation();
        }
    }

    /** The slot of a process that ended will have another one: nothing follows from its end. */
    void awaitsNext(int slot) {
        awaited.add(slot);
    }

    /** It will not, after all. */
    void awaitsNoMore(int slot) {
        awaited.remove(slot);
    }

    /** Returns why the job must end; null if it goes on. */
    EndReason joined(ProcessId process) {
        entry(process).isJoined = true;
        if (isFormed) {
            return null;
        }
        for (int slot = 0; slot < size; slot++) {
            Entry other = entries.get(member(slot));
            if (other != null && other.hasEnded && !other.isJoined && !awaited.contains(slot)) {
                return endedBeforeInit(member(slot));
            }
        }
        return null;
    }

    /** The program begins; or begins anew, with the last process of each slot, after a whole world had died. */
    void formed() {
        isFormed = true;
        epoch = 0;
        takeLastProcesses();
    }

    /**
     * The world has taken in newcomers.
     *
     * @param newEpoch counts such changes; what is said late of an older one is no news
     * @param incarnations by slot, of all that are in it
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

    /** All members have died, and the last processes of all slots are to begin anew. */
    void worldGone() {
        isFormed = false;
        hasWorldGone = true;
        takeLastProcesses();
    }

    boolean hasWorldGone() {
        return hasWorldGone;
    }

    private void takeLastProcesses() {
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

    /** All processes have been told to end: how those do that still live is no news from here on. */
    void toldToEnd() {
        isTold = true;
    }

    /** The process is dead for certain. Returns whether that is news. */
    boolean died(ProcessId process) {
        Entry entry = entry(process);
        boolean isNews = !entry.isDead;
        if (isNews) {
            entry.isDead = true;
            entry.isEndedByLauncher = isTold;
        }
        return isNews;
    }

    /** Returns why the job must end unless the process is followed by another; null if it goes on anyway. */
    EndReason ended(ProcessId process, int exitCode) {
        Entry entry = entry(process);
        died(process);
        entry.hasEnded = true;
        entry.exitCode = exitCode;
        if (!hasAnybodyJoined()) {
            return exitCode == 0 ? null : EndReason.failure(describe(process));
        }
        if (isFormed && !isMember(process)) {
            return null;
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
     * Nothing ends the process: as far as this job is concerned SIGKILL has. Should it end yet, that is news as ever.
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

    /** Whether nothing that was started still runs, and nothing more is to come. */
    boolean haveAllEnded() {
        for (Entry entry : entries.values()) {
            if (!entry.isOver()) {
                return false;
            }
        }
        return awaited.isEmpty();
    }

    /**
     * Whether the program is over, and who still waits for a place in it need not: all members have ended, and one of
     * them had finalized, which takes the consent of all.
     */
    boolean isOver() {
        if (!isFormed || !hasAnybodyFinalized()) {
            return false;
        }
        for (int slot = 0; slot < size; slot++) {
            Entry member = entries.get(member(slot));
            if (member != null && !member.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** How a process ended, for people. */
    String describe(ProcessId process) {
        return "rank " + process + " " + ExitText.of(entry(process).exitCode);
    }

    int size() {
        return size;
    }

    /** Whether no process is in the world of this slot's number later than this process. */
    boolean isMember(ProcessId process) {
        return members[process.slot()] == process.incarnation();
    }

    /** The process that a slot's number stands for. */
    ProcessId member(int slot) {
        return new ProcessId(slot, members[slot]);
    }

    /** Whether a process is in the program, between Init and Finalize, as far as is known. */
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

    /** Whether nothing is to be expected of a process any more. */
    boolean isGone(ProcessId process) {
        Entry entry = entries.get(process);
        return entry != null && (entry.isDead || entry.isFinalized || entry.isGivenUp);
    }

    /** What is to be said of a slot whose member is not in the program; begins with a verb. */
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
            return (entry.hasEnded ? ExitText.of(entry.exitCode) : "is dead") + successor(process);
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

    /** The outcomes of all processes that ended, ascending. */
    List<ProcessOutcome> outcomes() {
        List<ProcessOutcome> outcomes = new ArrayList<>();
        for (Map.Entry<ProcessId, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            if (entry.isOver()) {
                outcomes.add(new ProcessOutcome(
                        each.getKey(),
                        entry.hasEnded ? entry.exitCode : KILLED,
                        isMember(each.getKey()),
                        entry.isJoined,
                        entry.isFinalized,
                        heldForFailed.contains(each.getKey()),
                        entry.isEndedByLauncher));
            }
        }
        return outcomes;
    }

    boolean hasAnybodyJoined() {
        for (Entry entry : entries.values()) {
            if (entry.isJoined) {
                return true;
            }
        }
        return false;
    }

    private boolean hasAnybodyFinalized() {
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
        private boolean isJoined;
        private boolean isFinalized;
        private boolean isDead;
        private boolean hasEnded;
        private boolean isEndedByLauncher;
        private boolean isGivenUp;
        private int exitCode;

        /** Whether nothing is to be waited for. */
        private boolean isOver() {
            return hasEnded || isGivenUp;
        }
    }
}
