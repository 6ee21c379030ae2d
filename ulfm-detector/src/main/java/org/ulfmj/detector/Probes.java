package org.ulfmj.detector;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Processes that were asked for a heartbeat after the failure of an emitter, and have not answered yet (rule 6a of the
 * ring): the new emitter and processes that were sent PROBE.
 *
 * <p>Two rules hold as they do for an emitter. A stall of this process extends every deadline by the part of the stall
 * that lies within the wait. A deadline that has passed counts only after one more poll that comes in time and finds no
 * answer.
 */
final class Probes {
    private static final long NEVER = Long.MAX_VALUE;

    private static final class Probe {
        final long askedNs;
        long deadlineNs;

        /** Whether the deadline has passed once without an answer; then the next poll that comes in time decides. */
        boolean silent;

        Probe(long askedNs, long deadlineNs) {
            this.askedNs = askedNs;
            this.deadlineNs = deadlineNs;
        }
    }

    private final long periodNs;
    private final SortedMap<ProcessId, Probe> open = new TreeMap<>();

    /** @param periodNs the period of heartbeats: a poll that is late by a period or more proves no silence */
    Probes(long periodNs) {
        this.periodNs = periodNs;
    }

    /** Notes that a process is asked now; false if it had been asked and the answer is still open. */
    boolean ask(ProcessId target, long nowNs, long deadlineNs) {
        return open.putIfAbsent(target, new Probe(nowNs, deadlineNs)) == null;
    }

    /**
     * Ends the wait for the answer of a process that gave a sign of life, or is gone. Returns false if no answer was
     * expected.
     */
    boolean close(ProcessId target) {
        return open.remove(target) != null;
    }

    long nextDeadlineNs() {
        if (open.isEmpty()) {
            return NEVER;
        }
        long next = NEVER;
        for (Probe probe : open.values()) {
            next = Math.min(next, probe.deadlineNs);
        }
        return next;
    }

    /**
     * Extends each deadline by {@code lateNs}, but at most by the time since the question: this process ran that much
     * later than the time for which it had asked to be called.
     */
    void extendBy(long lateNs, long nowNs) {
        for (Probe probe : open.values()) {
            probe.deadlineNs += Math.min(lateNs, nowNs - probe.askedNs); // own stall: not blamed on the probed
        }
    }

    /** Removes and returns the processes that have been silent for too long. */
    List<ProcessId> takeSilent(long nowNs, long lateNs) {
        if (open.isEmpty()) {
            return List.of();
        }
        List<ProcessId> silent = new ArrayList<>();
        for (var entry : open.entrySet()) {
            Probe probe = entry.getValue();
            if (nowNs < probe.deadlineNs) {
                continue;
            }
            if (probe.silent && lateNs < periodNs) {
                silent.add(entry.getKey());
            } else {
                probe.silent = true;
                probe.deadlineNs = nowNs + periodNs / 10;
            }
        }
        silent.forEach(open::remove);
        return silent;
    }
}
