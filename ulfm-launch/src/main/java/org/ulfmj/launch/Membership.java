package org.ulfmj.launch;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * The members of the world of an elastic job. The launcher knows each process of such a job, a <em>child</em>, by the
 * number with which it was started, written as a {@link ProcessId} of incarnation 0. A child has no slot until a world
 * lists it as a member, and keeps its number when it has one. Pure; used by one thread.
 */
final class Membership {
    /** The children of this launcher. */
    private final Set<ProcessId> own = new TreeSet<>();

    private final int min;
    private final boolean isOpenToOthers;

    /**
     * The slot of each child that is or was a member. A child whose slot another child has got since is not in the map
     * any more.
     */
    private final SortedMap<ProcessId, Integer> slots = new TreeMap<>();

    /** The children that are members of the present world, or were its members before. */
    private final Set<ProcessId> members = new TreeSet<>();

    private int epoch;

    /**
     * @param own how many children this launcher starts at once; children with higher numbers are started by other
     *     launchers, or {@linkplain #own(ProcessId) later}
     * @param min how many members a world needs to begin
     * @param isOpenToOthers whether other launchers may start children for the job
     */
    Membership(int own, int min, boolean isOpenToOthers) {
        for (int number = 0; number < own; number++) {
            this.own.add(child(number));
        }
        this.min = min;
        this.isOpenToOthers = isOpenToOthers;
    }

    /** Returns the child with this number, counted from 0. */
    static ProcessId child(int number) {
        return ProcessId.of(number);
    }

    int min() {
        return min;
    }

    boolean isOpenToOthers() {
        return isOpenToOthers;
    }

    /** Whether this launcher has started the child. */
    boolean isOwn(ProcessId child) {
        return own.contains(child);
    }

    /** This launcher has started this child too. */
    void own(ProcessId child) {
        own.add(child);
    }

    /** Returns the children that this launcher starts or has started. */
    Set<ProcessId> own() {
        return own;
    }

    /** Notes that a new world begins; the members of the world before are dropped. */
    void begin() {
        epoch = 0;
        members.clear();
    }

    /** Notes that the world has these members now. A report of an older epoch, which comes late, changes nothing. */
    void set(int newEpoch, Map<ProcessId, Integer> slotOfMember) {
        if (newEpoch < epoch) {
            return;
        }
        epoch = newEpoch;
        slots.values().removeAll(slotOfMember.values());
        slots.putAll(slotOfMember);
        members.addAll(slotOfMember.keySet());
    }

    boolean isMember(ProcessId child) {
        return members.contains(child);
    }

    /** Returns the slot that the child has or had; -1 if it never had one, or another child has that slot now. */
    int slot(ProcessId child) {
        return slots.getOrDefault(child, -1);
    }

    /** Returns the child that has a slot, or had it last; null if there is none. */
    ProcessId childOf(int slot) {
        for (Map.Entry<ProcessId, Integer> each : slots.entrySet()) {
            if (each.getValue() == slot) {
                return each.getKey();
            }
        }
        return null;
    }

    /**
     * Returns the name of a child for users: {@code rank 2}, or {@code process 3} for the third child before it has a
     * rank.
     */
    String title(ProcessId child) {
        int slot = slot(child);
        return slot < 0 ? "process " + (child.slot() + 1) : "rank " + slot;
    }
}
