package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * A part from every rank for every rank, also of different lengths: in round d a rank sends to the one d further on and
 * hears from the one d behind, so that no rank is every rank's target at once.
 */
public final class AllToAllSchedule extends CollectiveSchedule {
    /** How many rounds may be open at once. */
    public static final int WINDOW = 8;

    private final ByteBuffer send;
    private final Blocks sendBlocks;
    private final ByteBuffer receive;
    private final Blocks receiveBlocks;

    /**
     * The part for rank r lies in block r of {@code sendBlocks}; the part from rank r goes to block r of
     * {@code receiveBlocks}.
     */
    public AllToAllSchedule(ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        this("allToAll", send, sendBlocks, receive, receiveBlocks);
    }

    /** As the other constructor, for a part of an operation with another name. */
    public AllToAllSchedule(
            String operation, ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        super(operation);
        this.send = view(send);
        this.sendBlocks = sendBlocks;
        this.receive = view(receive);
        this.receiveBlocks = receiveBlocks;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        int size = plan.size();
        for (int distance = 1; distance < size; distance++) {
            int to = (rank + distance) % size;
            int from = (rank + size - distance) % size;
            plan.receive(from, receive, receiveBlocks.offset(from), receiveBlocks.length(from));
            plan.send(to, send, sendBlocks.offset(to), sendBlocks.length(to));
            if (distance % WINDOW == 0) {
                plan.await();
            }
        }
        plan.copy(send, sendBlocks.offset(rank), receive, receiveBlocks.offset(rank), sendBlocks.length(rank));
    }
}
