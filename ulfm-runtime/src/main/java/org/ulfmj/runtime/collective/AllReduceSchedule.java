package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The allreduce by messages: the vectors of all ranks combined, at all ranks. Every rank gets the same bits, and they
 * depend only on the contributions and the number of ranks ({@link Folding}).
 */
public final class AllReduceSchedule extends CollectiveSchedule {
    /** The length in bytes from which on the ranks exchange pieces instead of whole vectors. */
    static final int LONG_VECTOR_BYTES = 32 * 1024;

    private ByteBuffer send;
    private ByteBuffer receive;

    /** To be set. */
    public AllReduceSchedule() {
        super("allReduce");
    }

    /** As {@link #set}. */
    public AllReduceSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        this();
        set(send, receive, elementBytes, reduction);
    }

    /**
     * Sets the vectors: whole elements, equally many at each rank. The result replaces the vector if {@code newSend}
     * and {@code newReceive} are the same object.
     */
    public AllReduceSchedule set(ByteBuffer newSend, ByteBuffer newReceive, int elementBytes, Reduction reduction) {
        combinesBy(reduction, elementBytes);
        receive = view(newReceive);
        send = newSend == newReceive ? receive : view(newSend);
        requireEqual(send.limit(), receive.limit());
        return this;
    }

    @Override
    protected void forget() {
        send = null;
        receive = null;
    }

    @Override
    public boolean waitsForAll() {
        return true;
    }

    @Override
    protected void plan(Plan plan) {
        int length = receive.limit();
        plan.copy(send, 0, receive, 0, length);
        if (plan.size() == 1) {
            return;
        }
        ByteBuffer room = plan.scratch(length);
        if (length < LONG_VECTOR_BYTES) {
            ByteBuffer result = RecursiveDoubling.allReduce(plan, receive, room, length);
            plan.copy(result, 0, receive, 0, length);
        } else {
            VectorHalving.allReduce(plan, receive, room, length);
        }
    }
}
