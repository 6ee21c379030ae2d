package org.ulfmj.launch;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * The members of the world of an elastic job. The launcher knows each process of such a job, a <em>child</em>, by the
 * number with which it was started, as a {@link ProcessId} of incarnation 0. A child has no slot until the world lists
 * it, and keeps its number when it has one. Pure; used by one thread.
 */
final class Membership {
    /** The children of this launcher. */
    private final Set<ProcessId> own = new TreeSet<>();

    private final int min;
    private final boolean isOpenToOthers;

    /** The slot of each child that was ever a member. Slots of an earlier world that is gone may be those of others. */
    private final SortedMap<ProcessId, Integer> slots = new TreeMap<>();

    /** The children that are members of the present world, or were and have ended. */
    private final Set<ProcessId> members = new TreeSet<>();

    private int epoch;

    /**
     * @param own how many children this launcher starts at once; those of higher numbers are started by other
     *     launchers, or {@linkplain #own(ProcessId) later}
     * @param min members that a world needs to begin
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

    /** The children that this launcher starts or has started. */
    Set<ProcessId> own() {
        return own;
    }

    /** A world begins. Members of a world before it count no more. */
    void begin() {
        epoch = 0;
        members.clear();
    }

    /** The world has these members now. An older epoch that is reported late changes nothing. */
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

    /** The slot that the child has, or had last; -1 if it never had one. */
    int slot(ProcessId child) {
        return slots.getOrDefault(child, -1);
    }

    /** The child that has a slot, or had it last; null if there is none. */
    ProcessId childOf(int slot) {
        for (Map.Entry<ProcessId, Integer> each : slots.entrySet()) {
            if (each.getValue() == slot) {
                return each.getKey();
            }
        }
        return null;
    }

    /**
     * The name of a child for users: {@code rank 2}, and {@code process 3} for the third child before it has a rank.
     */
    String title(ProcessId child) {
        int slot = slot(child);
        return slot < 0 ? "process " + (child.slot() + 1) : "rank " + slot;
    }
}
