package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known of each process of a job, and whether that means its end. A world with a fixed number of processes can only
 * begin complete, so before all have joined every loss ends the job; afterwards one that survives failures goes on. Pure;
 * used by one thread.
 */
final class JobLedger {
    private final boolean isFaultTolerant;
    private final Slot[] slots;
    private final Set<Integer> heldForFailed = new TreeSet<>();
    private boolean isFormed;
    private boolean isTold;

    JobLedger(int size, boolean isFaultTolerant) {
        this.isFaultTolerant = isFaultTolerant;
        this.slots = new Slot[size];
        for (int i = 0; i < size; i++) {
            slots[i] = new Slot();
        }
    }

    void started(int slot) {
        slots[slot].isStarted = true;
    }

    /** Returns why the job must end; null if it goes on. */
    EndReason joined(int slot) {
        slots[slot].isJoined = true;
        for (int other = 0; other < slots.length; other++) {
            if (slots[other].hasEnded && !slots[other].isJoined) {
                return endedBeforeInit(other);
            }
        }
        return null;
    }

    /** The program begins. */
    void formed() {
        isFormed = true;
    }

    void finalized(int slot, Set<Integer> heldFailed) {
        slots[slot].isFinalized = true;
        heldForFailed.addAll(heldFailed);
    }

    /** All processes have been told to end: how those do that still live is no news from here on. */
    void toldToEnd() {
        isTold = true;
    }

    /** The process is dead for certain. Returns whether that is news. */
    boolean died(int slot) {
        boolean isNews = !slots[slot].isDead;
        if (isNews) {
            slots[slot].isDead = true;
            slots[slot].isEndedByLauncher = isTold;
        }
        return isNews;
    }

    /** Returns why the job must end; null if it goes on. */
    EndReason ended(int slot, int exitCode) {
        Slot entry = slots[slot];
        died(slot);
        entry.hasEnded = true;
        entry.exitCode = exitCode;
        if (!hasAnybodyJoined()) {
            return exitCode == 0 ? null : EndReason.failure(describe(slot));
        }
        if (!entry.isJoined) {
            return endedBeforeInit(slot);
        }
        if (!isFormed) {
            return EndReason.notFormed(describe(slot) + " during MPI.Init");
        }
        boolean isWell = exitCode == 0 && entry.isFinalized;
        return isFaultTolerant || isWell
                ? null
                : EndReason.failure(describe(slot) + (exitCode == 0 ? " without having called Finalize" : ""));
    }

    boolean hasJoined(int slot) {
        return slots[slot].isJoined;
    }

    boolean hasFinalized(int slot) {
        return slots[slot].isFinalized;
    }

    boolean hasAnybodyDied() {
        for (Slot slot : slots) {
            if (slot.isDead) {
                return true;
            }
        }
        return false;
    }

    boolean isFormed() {
        return isFormed;
    }

    /** Whether nothing that was started still runs. */
    boolean haveAllEnded() {
        for (Slot slot : slots) {
            if (slot.isStarted && !slot.hasEnded) {
                return false;
            }
        }
        return true;
    }

    /** How a process ended, for people. */
    String describe(int slot) {
        return "rank " + slot + " " + ExitText.of(slots[slot].exitCode);
    }

    int size() {
        return slots.length;
    }

    /** Whether the process of a slot is in the program, between Init and Finalize, as far as is known. */
    boolean isRunning(int slot) {
        Slot entry = slots[slot];
        return isFormed && entry.isJoined && !entry.isFinalized && !entry.isDead;
    }

    /** Whether nothing is to be expected of the process of a slot any more. */
    boolean isGone(int slot) {
        return slots[slot].isDead || slots[slot].isFinalized;
    }

    /** What is to be said of a slot whose process is not in the program; begins with a verb. */
    String standing(int slot) {
        Slot entry = slots[slot];
        if (!entry.isStarted) {
            return "has not been started";
        }
        if (entry.isFinalized) {
            return entry.hasEnded ? "has finalized" : "has finalized; its process has not ended yet";
        }
        if (entry.hasEnded) {
            return ExitText.of(entry.exitCode);
        }
        if (entry.isDead) {
            return "is dead";
        }
        return entry.isJoined ? "is in MPI.Init, until all have called it" : "has not called MPI.Init";
    }

    /** Of all that ended, ascending. */
    List<SlotOutcome> outcomes() {
        List<SlotOutcome> outcomes = new ArrayList<>();
        for (int slot = 0; slot < slots.length; slot++) {
            Slot entry = slots[slot];
            if (entry.hasEnded) {
                outcomes.add(new SlotOutcome(
                        slot,
                        entry.exitCode,
                        entry.isJoined,
                        entry.isFinalized,
                        heldForFailed.contains(slot),
                        entry.isEndedByLauncher));
            }
        }
        return outcomes;
    }

    boolean hasAnybodyJoined() {
        for (Slot slot : slots) {
            if (slot.isJoined) {
                return true;
            }
        }
        return false;
    }

    private EndReason endedBeforeInit(int slot) {
        return EndReason.notFormed("rank " + slot + " ended before MPI.Init (" + ExitText.of(slots[slot].exitCode)
                + "), and the others cannot begin without it");
    }

    private static final class Slot {
        private boolean isStarted;
        private boolean isJoined;
        private boolean isFinalized;
        private boolean isDead;
        private boolean hasEnded;
        private boolean isEndedByLauncher;
        private int exitCode;
    }
}
