package org.ulfmj.agree.tree;

import org.ulfmj.detector.LiveMembers;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The tree over which the values of one agreement travel: a {@link TreeShape}, a binary heap unless the communicator
 * was given another one, over the members, in rank order, without the <em>base</em>: the members that earlier blocking
 * agreements listed as failed.
 *
 * <p>Parent and children are pure functions of (members, base, gone), and no answer depends on an earlier one: the
 * parent of a live member is its nearest ancestor that is not gone, or the lowest live rank if all are, and the
 * children of p are exactly the live members whose parent is p. So any two ranks that know of the same deaths see the
 * same tree, even if they learnt of the deaths in different orders, and children and parent always fit together: with a
 * tree that is repaired step by step, a new root could ask for its children before it had inherited them, find none,
 * and decide alone.
 *
 * <p>Every parent has a lower rank than its children, and there is one root, the lowest live rank. Costs O(log n +
 * failures) time and memory; no array over the members, unless they are on several hosts: then leaders of hosts form a
 * separate tree ({@link HostsShape}).
 */
public final class AgreementTree {
    private final SlotSet base;

    /** The members without the base. A place of the shape is a place among them. */
    private final LiveMembers heap;

    private final TreeShape shape;
    private final long view;

    /** The last answer of {@link #children}, and the arguments that it answers: each message asks the same question. */
    private SlotSet knownChildren;

    private int knownSlot;
    private SlotSet knownGone;

    /** The last answer of {@link #parent}, and the arguments that it answers. */
    private int knownParent;

    private int knownParentOf = -1;
    private SlotSet knownParentGone;

    /** @param base slots that take no part in the agreement */
    public AgreementTree(SlotRuns members, SlotSet base) {
        this(members, base, TreeShape.BINARY);
    }

    public AgreementTree(SlotRuns members, SlotSet base, TreeShape shape) {
        this(members, base, shape, Placement.ONE_HOST);
    }

    /**
     * @param shape the shape of the tree of the members of one host
     * @param placement on which host each member is; the same at all members
     */
    public AgreementTree(SlotRuns members, SlotSet base, TreeShape shape, Placement placement) {
        this.base = base;
        this.heap = LiveMembers.of(members, base);
        this.shape = placement.isOneHost() ? shape : HostsShape.of(heap, placement, shape);
        this.view = viewOf(base);
    }

    public SlotSet base() {
        return base;
    }

    /**
     * A number that names the base in messages. A rank with another base has another tree, and its value must not be
     * combined with values of this tree.
     */
    public long view() {
        return view;
    }

    private static long viewOf(SlotSet base) {
        long view = base.size();
        for (int slot : base.toArray()) {
            view = mixed(view ^ slot);
        }
        return view;
    }

    /** The slot to which {@code slot} sends its value; {@code slot} itself if it is the root. */
    public int parent(int slot, SlotSet gone) {
        if (gone != knownParentGone || slot != knownParentOf) {
            knownParent = parentOf(slot, gone);
            knownParentOf = slot;
            knownParentGone = gone;
        }
        return knownParent;
    }

    private int parentOf(int slot, SlotSet gone) {
        int index = indexOf(slot);
        while (index > 0) {
            index = shape.parent(index);
            int ancestor = heap.slot(index);
            if (!gone.contains(ancestor)) {
                return ancestor;
            }
        }
        return root(gone);
    }

    /** The slots that send their values to {@code slot}. */
    public SlotSet children(int slot, SlotSet gone) {
        if (gone != knownGone || slot != knownSlot) {
            knownChildren = childrenOf(slot, gone);
            knownSlot = slot;
            knownGone = gone;
        }
        return knownChildren;
    }

    private SlotSet childrenOf(int slot, SlotSet gone) {
        int index = indexOf(slot);
        SlotSet children = SlotSet.EMPTY;
        if (slot == root(gone)) {
            children = withNearestLive(0, index, gone, children);
        }
        return withNearestLiveBelow(index, index, gone, children);
    }

    /** The slot of the lowest live rank. */
    private int root(SlotSet gone) {
        for (int index = 0; index < heap.size(); index++) {
            int slot = heap.slot(index);
            if (!gone.contains(slot)) {
                return slot;
            }
        }
        throw new IllegalStateException("no member of the agreement is live: base " + base + ", gone " + gone);
    }

    /**
     * Adds the live member at an index to {@code found}; if that member is gone, adds the nearest live ones below it
     * instead. Leaves out the subtree at the index {@code except}.
     */
    private SlotSet withNearestLive(int index, int except, SlotSet gone, SlotSet found) {
        if (index == except) {
            return found;
        }
        int slot = heap.slot(index);
        return gone.contains(slot) ? withNearestLiveBelow(index, except, gone, found) : found.with(slot);
    }

    private SlotSet withNearestLiveBelow(int index, int except, SlotSet gone, SlotSet found) {
        SlotSet more = found;
        for (int child : shape.children(index, heap.size())) {
            more = withNearestLive(child, except, gone, more);
        }
        return more;
    }

    private int indexOf(int slot) {
        if (base.contains(slot) || !heap.contains(slot)) {
            throw new IllegalStateException("slot " + slot + " takes no part in the agreement, base " + base);
        }
        return heap.place(slot);
    }

    private static long mixed(long value) {
        long mixed = (value + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        return mixed ^ (mixed >>> 31);
    }
}
