package org.ulfmj.detector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * What one rank holds for failed and for departed: shared by its ring, broadcasts, agreements and matching, so that
 * nobody is dead for one of them and alive for another.
 *
 * <p>Entries are by (slot, incarnation), are never taken back and outlive membership epochs; a process nobody here has
 * met yet may be in it. The order in which failures were marked is kept, and with it the order of every communicator's
 * failed group. Not thread-safe; memory and time grow with the failures, not with the world.
 */
public final class FailureSet {
    private record Mark(Evidence evidence, long atNs) {}

    private final SortedMap<ProcessId, Mark> failed = new TreeMap<>();
    private final List<ProcessId> order = new ArrayList<>();
    private final SortedSet<ProcessId> departed = new TreeSet<>();

    /**
     * Marks a process failed; false if it already was. A departed process can be marked too: an agreement of those that
     * had not heard its goodbye may list it, and then it is listed everywhere.
     */
    public boolean markFailed(ProcessId process, Evidence evidence, long nowNs) {
        if (failed.containsKey(process)) {
            return false;
        }
        failed.put(process, new Mark(evidence, nowNs));
        order.add(process);
        return true;
    }

    /** Notes a goodbye; false if it was known, or if the process is held for failed: then nothing it said counts. */
    public boolean markDeparted(ProcessId process) {
        return !failed.containsKey(process) && departed.add(process);
    }

    public boolean hasFailed(ProcessId process) {
        return failed.containsKey(process);
    }

    public boolean hasDeparted(ProcessId process) {
        return departed.contains(process);
    }

    /** Whether the process failed or departed: trees, overlay and ring pass over it. */
    public boolean isGone(ProcessId process) {
        return failed.containsKey(process) || departed.contains(process);
    }

    /** All failures in the order they were marked: a live view that only ever grows at its end. */
    public List<ProcessId> failedInOrder() {
        return Collections.unmodifiableList(order);
    }

    /** Why a process is held for failed; null if it is not. */
    public Evidence evidence(ProcessId process) {
        Mark mark = failed.get(process);
        return mark == null ? null : mark.evidence();
    }

    /** When the process was marked; throws if it is not held for failed. */
    public long failedAtNs(ProcessId process) {
        Mark mark = failed.get(process);
        if (mark == null) {
            throw new IllegalStateException("process " + process + " is not held for failed");
        }
        return mark.atNs();
    }

    /** Slots of {@code members} whose process in {@code membership} has failed. */
    public SlotSet failedAmong(SlotRuns members, Membership membership) {
        return among(members, membership, false);
    }

    /** Slots of {@code members} whose process in {@code membership} has failed or departed. */
    public SlotSet goneAmong(SlotRuns members, Membership membership) {
        return among(members, membership, true);
    }

    private SlotSet among(SlotRuns members, Membership membership, boolean withDeparted) {
        if (failed.isEmpty() && (departed.isEmpty() || !withDeparted)) {
            return SlotSet.EMPTY;
        }
        int[] slots = new int[failed.size() + (withDeparted ? departed.size() : 0)];
        int count = 0;
        for (ProcessId process : failed.keySet()) {
            if (isMember(process, members, membership)) {
                slots[count++] = process.slot();
            }
        }
        if (withDeparted) {
            for (ProcessId process : departed) {
                if (isMember(process, members, membership)) {
                    slots[count++] = process.slot();
                }
            }
        }
        return SlotSet.of(Arrays.copyOf(slots, count));
    }

    private static boolean isMember(ProcessId process, SlotRuns members, Membership membership) {
        return membership.incarnation(process.slot()) == process.incarnation() && members.contains(process.slot());
    }

    @Override
    public String toString() {
        return "failed " + order + (departed.isEmpty() ? "" : " departed " + departed);
    }
}
