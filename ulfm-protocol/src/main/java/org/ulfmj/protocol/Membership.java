package org.ulfmj.protocol;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The members of the world in one membership epoch: the slots, the incarnation that each slot has, and the host of each
 * member. Immutable.
 */
public final class Membership {
    private final long epoch;
    private final SlotRuns slots;
    private final SortedMap<Integer, Integer> replaced;
    private final Placement placement;

    private Membership(long epoch, SlotRuns slots, SortedMap<Integer, Integer> replaced, Placement placement) {
        this.epoch = epoch;
        this.slots = slots;
        this.replaced = replaced;
        this.placement = placement;
    }

    /** Epoch 0 of a world on one host: slots 0 to {@code size} − 1, each with its first process. */
    public static Membership initial(int size) {
        return new Membership(0, SlotRuns.range(size), new TreeMap<>(), Placement.ONE_HOST);
    }

    /**
     * The membership of an epoch, on one host. {@code incarnations} has the slots whose process is not the first one,
     * each with the incarnation of its process.
     */
    public static Membership of(long epoch, SlotRuns slots, Map<Integer, Integer> incarnations) {
        return new Membership(epoch, slots, new TreeMap<>(incarnations), Placement.ONE_HOST);
    }

    /** Returns the same members with the given placement on hosts. */
    public Membership on(Placement hosts) {
        return new Membership(epoch, slots, replaced, hosts);
    }

    public long epoch() {
        return epoch;
    }

    /** All members, in slot order. */
    public SlotRuns slots() {
        return slots;
    }

    public int size() {
        return slots.size();
    }

    public boolean contains(ProcessId process) {
        return slots.contains(process.slot()) && incarnation(process.slot()) == process.incarnation();
    }

    /** On which host each member is: {@link Placement#ONE_HOST} unless {@link #on} gave another placement. */
    public Placement placement() {
        return placement;
    }

    public int incarnation(int slot) {
        return replaced.isEmpty() ? 0 : replaced.getOrDefault(slot, 0);
    }

    /** The process that holds a slot in this epoch. */
    public ProcessId process(int slot) {
        return new ProcessId(slot, incarnation(slot));
    }

    @Override
    public String toString() {
        return "epoch " + epoch + " " + slots + (replaced.isEmpty() ? "" : " incarnations " + replaced);
    }
}
