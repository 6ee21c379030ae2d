package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The broadcast by messages: every rank gets the root's bytes along a binomial tree; a rank sends first to the child
 * with the largest subtree. Longer buffers go in segments: a rank hands one segment on while it receives the next.
 */
public final class BroadcastSchedule extends CollectiveSchedule {
    static final int SEGMENT_BYTES = 128 * 1024;

    private ByteBuffer data;
    private int root;
    /** The children of this rank in the tree of the last plan, kept because most programs have one root. */
    private int[] children;

    private int childrenOfRank;
    private int childrenOfSize;
    private int childrenOfRoot;

    /** To be set. */
    public BroadcastSchedule() {
        super("bcast");
    }

    /** As {@link #set}. */
    public BroadcastSchedule(ByteBuffer data, int root) {
        this();
        set(data, root);
    }

    /** Sets the bytes to be sent or received, equally many at every rank, and the root. */
    public BroadcastSchedule set(ByteBuffer newData, int newRoot) {
        data = view(newData);
        root = newRoot;
        return this;
    }

    @Override
    protected void forget() {
        data = null;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        int size = plan.size();
        if (children == null || childrenOfRank != rank || childrenOfSize != size || childrenOfRoot != root) {
            children = children(rank, size, root);
            childrenOfRank = rank;
            childrenOfSize = size;
            childrenOfRoot = root;
        }
        handOn(plan, data, parent(rank, size, root), children);
    }

    /**
     * Plans to receive data from the rank {@code parent}, unless that is negative, and to hand the data on to the ranks
     * {@code children}, segment by segment.
     */
    public static void handOn(Plan plan, ByteBuffer data, int parent, int[] children) {
        for (long from = 0; from < data.limit() || from == 0 && plan.keepsEmpty(); from += SEGMENT_BYTES) {
            int offset = (int) from;
            int length = Math.min(SEGMENT_BYTES, data.limit() - offset);
            if (parent >= 0) {
                plan.receive(parent, data, offset, length);
            }
            // Waits until this segment has arrived and the segment before has been handed on. This segment is handed on
            // while the next one arrives.
            plan.await();
            for (int child : children) {
                plan.send(child, data, offset, length);
            }
        }
    }

    /** The ranks to which {@code rank} hands the data on, those with the largest subtrees first. */
    public static int[] children(int rank, int size, int root) {
        int distance = distanceFromRoot(rank, size, root);
        int[] children = new int[Integer.SIZE - Integer.numberOfLeadingZeros(size)];
        int count = 0;
        for (int step = Integer.highestOneBit(size); step > 0; step /= 2) {
            if (distance % (2 * step) == 0 && distance + step < size) {
                children[count++] = (distance + step + root) % size;
            }
        }
        return Arrays.copyOf(children, count);
    }

    /**
     * The rank from which {@code rank} receives; −1 for the root. Distances are counted from the root, and the distance
     * of that rank is the distance of {@code rank} with the lowest set bit cleared.
     */
    public static int parent(int rank, int size, int root) {
        int distance = distanceFromRoot(rank, size, root);
        return distance == 0 ? -1 : (distance - Integer.lowestOneBit(distance) + root) % size;
    }

    private static int distanceFromRoot(int rank, int size, int root) {
        return (rank + size - root) % size;
    }
}
