package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * A part from every rank for every rank, also of different lengths: in round d rank r sends to rank r + d and receives
 * from rank r − d, so that no rank is every rank's target at once.
 */
public final class AllToAllSchedule extends CollectiveSchedule {
    /** How many rounds may be open at once. */
    public static final int WINDOW = 8;

    private ByteBuffer send;
    private Blocks sendBlocks;
    private ByteBuffer receive;
    private Blocks receiveBlocks;

    /** To be set. */
    public AllToAllSchedule() {
        super("allToAll");
    }

    /** As {@link #set}. */
    public AllToAllSchedule(ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        this("allToAll", send, sendBlocks, receive, receiveBlocks);
    }

    /** As {@link #set}, for an all-to-all that is a step of an operation with another name. */
    public AllToAllSchedule(
            String operation, ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        super(operation);
        set(send, sendBlocks, receive, receiveBlocks);
    }

    /**
     * Sets the buffers. The part for rank r lies in block r of {@code newSendBlocks}; the part from rank r goes to
     * block r of {@code newReceiveBlocks}.
     */
    public AllToAllSchedule set(
            ByteBuffer newSend, Blocks newSendBlocks, ByteBuffer newReceive, Blocks newReceiveBlocks) {
        send = view(newSend);
        sendBlocks = newSendBlocks;
        receive = view(newReceive);
        receiveBlocks = newReceiveBlocks;
        return this;
    }

    @Override
    protected void forget() {
        send = null;
        sendBlocks = null;
        receive = null;
        receiveBlocks = null;
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
