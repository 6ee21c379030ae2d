package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The reduce by messages: the vectors of all ranks combined, at the root, with the bits that {@link AllReduceSchedule}
 * would give.
 */
public final class ReduceSchedule extends CollectiveSchedule {
    private ByteBuffer send;
    private ByteBuffer receive;
    private int root;

    /** To be set. */
    public ReduceSchedule() {
        super("reduce");
    }

    /** As {@link #set}. */
    public ReduceSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction, int root) {
        this();
        set(send, receive, elementBytes, reduction, root);
    }

    /**
     * Sets the vectors and the root. {@code newReceive} counts at the root only and may be null elsewhere; if it is the
     * same object as {@code newSend}, the result replaces the root's vector.
     */
    public ReduceSchedule set(
            ByteBuffer newSend, ByteBuffer newReceive, int elementBytes, Reduction reduction, int newRoot) {
        combinesBy(reduction, elementBytes);
        send = view(newSend);
        receive = newSend == newReceive || newReceive == null ? send : view(newReceive);
        root = newRoot;
        requireEqual(send.limit(), receive.limit());
        return this;
    }

    @Override
    protected void forget() {
        send = null;
        receive = null;
    }

    @Override
    protected void plan(Plan plan) {
        int length = send.limit();
        if (plan.rank() == root) {
            plan.copy(send, 0, receive, 0, length);
        }
        if (plan.size() == 1) {
            return;
        }
        boolean isLong = length >= AllReduceSchedule.LONG_VECTOR_BYTES;
        if (!isLong && RecursiveDoubling.isLeaf(plan, root)) {
            RecursiveDoubling.reduce(plan, root, send, send, length);
            return;
        }
        ByteBuffer mine = receive;
        if (plan.rank() != root) {
            mine = plan.scratch(length);
            plan.copy(send, 0, mine, 0, length);
        }
        ByteBuffer room = plan.scratch(length);
        if (isLong) {
            VectorHalving.reduce(plan, root, mine, room, length);
        } else {
            ByteBuffer result = RecursiveDoubling.reduce(plan, root, mine, room, length);
            if (plan.rank() == root) {
                plan.copy(result, 0, receive, 0, length);
            }
        }
    }
}
