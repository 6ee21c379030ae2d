package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The reduce-scatter by messages: the vectors of all ranks combined, and rank r gets part r, with the bits that
 * {@link AllReduceSchedule} would give. Short vectors are combined whole; of long ones each rank collects its own part
 * from all others, and combines it.
 */
public final class ReduceScatterSchedule extends CollectiveSchedule {
    private ByteBuffer send;
    private ByteBuffer receive;
    private Blocks blocks;

    /** To be set. */
    public ReduceScatterSchedule() {
        super("reduceScatter");
    }

    /** As {@link #set}. */
    public ReduceScatterSchedule(
            ByteBuffer send, ByteBuffer receive, Blocks blocks, int elementBytes, Reduction reduction) {
        this();
        set(send, receive, blocks, elementBytes, reduction);
    }

    /**
     * Sets the buffers. The blocks say which part of {@code newSend} each rank gets; all ranks give the same blocks, of
     * whole elements. {@code newReceive} has room for this rank's part and may share memory with {@code newSend}.
     */
    public ReduceScatterSchedule set(
            ByteBuffer newSend, ByteBuffer newReceive, Blocks newBlocks, int elementBytes, Reduction reduction) {
        combinesBy(reduction, elementBytes);
        send = view(newSend);
        receive = view(newReceive);
        blocks = newBlocks;
        return this;
    }

    @Override
    protected void forget() {
        send = null;
        receive = null;
        blocks = null;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        if (plan.size() == 1) {
            plan.copy(send, blocks.offset(0), receive, 0, blocks.length(0));
        } else if (blocks.totalLength() < AllReduceSchedule.LONG_VECTOR_BYTES) {
            int length = send.limit();
            ByteBuffer mine = plan.scratch(length);
            plan.copy(send, 0, mine, 0, length);
            ByteBuffer result = RecursiveDoubling.allReduce(plan, mine, plan.scratch(length), length);
            plan.copy(result, blocks.offset(rank), receive, 0, blocks.length(rank));
        } else {
            collect(plan);
        }
    }

    private void collect(Plan plan) {
        int rank = plan.rank();
        int size = plan.size();
        int length = blocks.length(rank);
        ByteBuffer parts = plan.scratch((long) size * length);
        plan.copy(send, blocks.offset(rank), parts, rank * length, length);
        for (int distance = 1; distance < size; distance++) {
            int to = (rank + distance) % size;
            int from = (rank + size - distance) % size;
            plan.receive(from, parts, from * length, length);
            plan.send(to, send, blocks.offset(to), blocks.length(to));
            if (distance % AllToAllSchedule.WINDOW == 0) {
                plan.await();
            }
        }
        plan.await();
        combineParts(plan, parts, length);
    }

    /** Combines in place: of each two blocks of the tree, the result goes where the higher one was. */
    private void combineParts(Plan plan, ByteBuffer parts, int length) {
        Folding folding = plan.folding(0);
        int[] places = new int[folding.numbers()];
        for (int number = 0; number < places.length; number++) {
            int first = folding.representative(number);
            places[number] = folding.partner(first) < 0 ? first : first + 1;
            if (places[number] != first) {
                plan.combine(parts, first * length, parts, places[number] * length, length);
            }
        }
        for (int bit = 1; bit < places.length; bit *= 2) {
            for (int number = 0; number < places.length; number += 2 * bit) {
                int low = places[number];
                places[number] = places[number + bit];
                plan.combine(parts, low * length, parts, places[number] * length, length);
            }
        }
        plan.copy(parts, places[0] * length, receive, 0, length);
    }
}
