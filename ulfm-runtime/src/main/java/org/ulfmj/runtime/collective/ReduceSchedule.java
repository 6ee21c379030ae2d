package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/** All ranks' vectors combined, at the root, with the bits that {@link AllReduceSchedule} would give. */
public final class ReduceSchedule extends CollectiveSchedule {
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final int root;

    /**
     * {@code receive} counts at the root only and may be null elsewhere; in place at the root if it is the same object
     * as {@code send}.
     */
    public ReduceSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction, int root) {
        super("reduce", reduction, elementBytes);
        this.send = view(send);
        this.receive = send == receive || receive == null ? this.send : view(receive);
        this.root = root;
        requireEqual(this.send.capacity(), this.receive.capacity());
    }

    @Override
    protected void plan(Plan plan) {
        int length = send.capacity();
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
