package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * The root's bytes at every rank, along a binomial tree, subtrees of most ranks first. Longer buffers go in segments: a
 * rank hands one on while it receives the next.
 */
public final class BroadcastSchedule extends CollectiveSchedule {
    static final int SEGMENT_BYTES = 128 * 1024;

    private final ByteBuffer data;
    private final int root;

    /** Every rank gives the same number of bytes. */
    public BroadcastSchedule(ByteBuffer data, int root) {
        super("bcast");
        this.data = view(data);
        this.root = root;
    }

    @Override
    void plan(Plan plan) {
        int parent = parent(plan);
        for (long from = 0; from < data.capacity() || from == 0 && plan.keepsEmpty(); from += SEGMENT_BYTES) {
            int offset = (int) from;
            int length = Math.min(SEGMENT_BYTES, data.capacity() - offset);
            if (parent >= 0) {
                plan.receive(parent, data, offset, length);
            }
            // Waits until this segment has arrived and the segment before is handed on. This one goes out while the
            // next arrives.
            plan.await();
            sendToChildren(plan, offset, length);
        }
    }

    private void sendToChildren(Plan plan, int offset, int length) {
        int size = plan.size();
        int distance = distanceFromRoot(plan);
        for (int step = Integer.highestOneBit(size); step > 0; step /= 2) {
            if (distance % (2 * step) == 0 && distance + step < size) {
                plan.send((distance + step + root) % size, data, offset, length);
            }
        }
    }

    /**
     * The rank from which this one receives, −1 at the root. Its distance from the root is this rank's with the lowest
     * bit cleared.
     */
    private int parent(Plan plan) {
        int distance = distanceFromRoot(plan);
        return distance == 0 ? -1 : (distance - Integer.lowestOneBit(distance) + root) % plan.size();
    }

    private int distanceFromRoot(Plan plan) {
        return (plan.rank() + plan.size() - root) % plan.size();
    }
}
