package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * The allgather by messages: every rank gets the parts of all ranks, also of different lengths. Short: ⌈log₂ n⌉ rounds
 * in which what a rank holds doubles (Bruck). Long: n − 1 rounds around a ring, every part passing each rank once.
 */
public final class AllGatherSchedule extends CollectiveSchedule {
    /** The number of bytes, of all parts together, from which on the ring is used. */
    public static final int LONG_BYTES = 64 * 1024;

    private ByteBuffer send;
    private ByteBuffer receive;
    private Blocks blocks;

    /** To be set. */
    public AllGatherSchedule() {
        super("allGather");
    }

    /** As {@link #set}. */
    public AllGatherSchedule(ByteBuffer send, ByteBuffer receive, Blocks blocks) {
        this();
        set(send, receive, blocks);
    }

    /**
     * Sets the buffers and the blocks, which have the same lengths at all ranks; {@code newSend} is null if this rank's
     * part is in its place in {@code newReceive} already.
     */
    public AllGatherSchedule set(ByteBuffer newSend, ByteBuffer newReceive, Blocks newBlocks) {
        send = newSend == null ? null : view(newSend);
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
    public boolean waitsForAll() {
        return true;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        if (send != null) {
            plan.copy(send, 0, receive, blocks.offset(rank), blocks.length(rank));
        }
        if (plan.size() == 1) {
            return;
        }
        if (blocks.totalLength() < LONG_BYTES) {
            doubling(plan);
        } else {
            ring(plan);
        }
    }

    private void ring(Plan plan) {
        int rank = plan.rank();
        int size = plan.size();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        for (int round = 0; round < size - 1; round++) {
            int passed = (rank + size - round) % size;
            int arriving = (left + size - round) % size;
            plan.send(right, receive, blocks.offset(passed), blocks.length(passed));
            plan.receive(left, receive, blocks.offset(arriving), blocks.length(arriving));
            plan.await();
        }
    }

    /**
     * Rank r holds the parts of ranks r, r + 1, …, one after the other. In round k it sends them, as far as they are
     * still missing there, to rank r − 2^k and gets the next ones from rank r + 2^k.
     */
    private void doubling(Plan plan) {
        int rank = plan.rank();
        int size = plan.size();
        ByteBuffer held = plan.scratch(blocks.totalLength());
        plan.copy(receive, blocks.offset(rank), held, 0, blocks.length(rank));
        int heldLength = blocks.length(rank);
        for (int ranks = 1; ranks < size; ranks *= 2) {
            int more = Math.min(ranks, size - ranks);
            int moreLength = length((rank + ranks) % size, more, size);
            plan.send((rank + size - ranks) % size, held, 0, length(rank, more, size));
            plan.receive((rank + ranks) % size, held, heldLength, moreLength);
            plan.await();
            heldLength += moreLength;
        }
        int from = blocks.length(rank);
        for (int distance = 1; distance < size; distance++) {
            int owner = (rank + distance) % size;
            plan.copy(held, from, receive, blocks.offset(owner), blocks.length(owner));
            from += blocks.length(owner);
        }
    }

    private int length(int firstRank, int count, int size) {
        int length = 0;
        for (int i = 0; i < count; i++) {
            length += blocks.length((firstRank + i) % size);
        }
        return length;
    }
}
