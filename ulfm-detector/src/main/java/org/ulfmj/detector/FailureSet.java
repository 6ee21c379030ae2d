package org.ulfmj.detector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
 * The processes that one rank has marked failed or departed. Ring, broadcasts, agreements and matching of the rank
 * share this set, so that no process is dead for one of them and alive for another.
 *
 * <p>Entries are by (slot, incarnation) and outlive membership epochs: a process that counts as failed here does so for
 * ever. They may name a process that this rank has never met. The order in which failures were marked is kept, and with
 * it the order of every communicator's failed group.
 *
 * <p>A slot has one process after the other. The member that a membership epoch has in a slot implies that all earlier
 * processes of the slot are of the past: they count as failed, also those that this rank never met, and cost one number
 * per slot. Evidence of a process of the past is kept only while an epoch in use has it as a member. So the memory for
 * failures grows with the slots that have failed, not with the number of failures. Not thread-safe.
 */
public final class FailureSet {
    private record Mark(Evidence evidence, long atNs) {}

    private final SortedMap<ProcessId, Mark> failed = new TreeMap<>();
    private final List<ProcessId> order = new ArrayList<>();
    private final SortedSet<ProcessId> departed = new TreeSet<>();

    /** By slot: the lowest incarnation that is not of the past. For a slot that is absent, this is 0. */
    private final SortedMap<Integer, Integer> firstPresent = new TreeMap<>();

    private long enteredAtNs;

    /**
     * Marks a process failed. Returns false if it already was. A departed process can be marked too: an agreement among
     * members that had not received its goodbye may list it as failed, and then every rank marks it.
     */
    public boolean markFailed(ProcessId process, Evidence evidence, long nowNs) {
        if (hasFailed(process)) {
            return false;
        }
        failed.put(process, new Mark(evidence, nowNs));
        order.add(process);
        return true;
    }

    /**
     * Notes that a process has departed, which its goodbye says. Returns false if the goodbye is known already, or if
     * the process is marked failed: then its goodbye does not count.
     */
    public boolean markDeparted(ProcessId process) {
        return !hasFailed(process) && departed.add(process);
    }

    public boolean hasFailed(ProcessId process) {
        return failed.containsKey(process) || isOfThePast(process);
    }

    /** Whether the process is of the past: {@link #enter} has learnt of a later process of its slot. */
    public boolean isOfThePast(ProcessId process) {
        return !firstPresent.isEmpty() && process.incarnation() < firstPresent(process.slot());
    }

    private int firstPresent(int slot) {
        return firstPresent.getOrDefault(slot, 0);
    }

    /**
     * Enters another membership epoch: every earlier process of a slot than the slot's member of this epoch is of the
     * past from now on.
     *
     * @param inUse the epochs that are still in use at this rank; the mark of a process of the past is dropped if none
     *     of these epochs has the process as a member
     */
    public void enter(Membership next, Collection<Membership> inUse, long nowNs) {
        enteredAtNs = nowNs;
        for (int slot : next.slots().toArray()) {
            begin(slot, next.incarnation(slot));
        }
        for (ProcessId process : order) {
            if (!next.slots().contains(process.slot())) {
                // The new world leaves this slot out. The last incarnation that is marked failed stands for all earlier
                // ones, so these count as failed too.
                begin(process.slot(), process.incarnation());
            }
        }
        for (int i = order.size() - 1; i >= 0; i--) {
            if (isOfThePast(order.get(i)) && !isIn(inUse, order.get(i))) {
                failed.remove(order.remove(i));
            }
        }
    }

    private static boolean isIn(Collection<Membership> epochs, ProcessId process) {
        for (Membership epoch : epochs) {
            if (epoch.contains(process)) {
                return true;
            }
        }
        return false;
    }

    private void begin(int slot, int incarnation) {
        if (incarnation > firstPresent(slot)) {
            firstPresent.put(slot, incarnation);
        }
    }

    public boolean hasDeparted(ProcessId process) {
        return departed.contains(process);
    }

    /** Whether the process failed or departed: trees, overlay and ring pass over it. */
    public boolean isGone(ProcessId process) {
        return hasFailed(process) || departed.contains(process);
    }

    /**
     * Returns the failures in the order in which they were marked. The list is a live view that grows at its end. A
     * process of the past leaves the list once no epoch in use has it as a member.
     */
    public List<ProcessId> failedInOrder() {
        return Collections.unmodifiableList(order);
    }

    /**
     * Why a process is marked failed; null if it has not failed. For a process of the past without a mark, an evidence
     * of the kind {@link Evidence.Kind#AGREED} is made up.
     */
    public Evidence evidence(ProcessId process) {
        Mark mark = failed.get(process);
        if (mark == null && isOfThePast(process)) {
            return new Evidence(Evidence.Kind.AGREED, process, "another process has its place since");
        }
        return mark == null ? null : mark.evidence();
    }

    /**
     * When the process was marked failed. For a process of the past whose mark was dropped or never made, the time when
     * this rank entered its present epoch. Throws if the process has not failed.
     */
    public long failedAtNs(ProcessId process) {
        Mark mark = failed.get(process);
        if (mark == null && isOfThePast(process)) {
            return enteredAtNs;
        }
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
        if (failed.isEmpty() && firstPresent.isEmpty() && (departed.isEmpty() || !withDeparted)) {
            return SlotSet.EMPTY;
        }
        int[] slots = new int[failed.size() + firstPresent.size() + (withDeparted ? departed.size() : 0)];
        int count = 0;
        for (SortedMap.Entry<Integer, Integer> present : firstPresent.entrySet()) {
            int slot = present.getKey();
            if (members.contains(slot) && membership.incarnation(slot) < present.getValue()) {
                slots[count++] = slot;
            }
        }
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
