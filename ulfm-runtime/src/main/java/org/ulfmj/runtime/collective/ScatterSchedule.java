package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * Sends one part of the root's buffer to each rank, also parts of different lengths. Each part goes straight to its
 * rank.
 */
public final class ScatterSchedule extends CollectiveSchedule {
    /** How many sends of the root may be open at once. */
    private static final int WINDOW = 32;

    private ByteBuffer send;
    private Blocks blocks;
    private ByteBuffer receive;
    private int root;

    /** To be set. */
    public ScatterSchedule() {
        super("scatter");
    }

    /** As {@link #set}. */
    public ScatterSchedule(ByteBuffer send, Blocks blocks, ByteBuffer receive, int root) {
        this();
        set(send, blocks, receive, root);
    }

    /**
     * Sets the buffers and the root. {@code send} and {@code blocks} count at the root only and may be null elsewhere;
     * {@code receive} is null at the root if its part is to stay where it is.
     */
    public ScatterSchedule set(ByteBuffer newSend, Blocks newBlocks, ByteBuffer newReceive, int newRoot) {
        send = newSend == null ? null : view(newSend);
        blocks = newBlocks;
        receive = newReceive == null ? null : view(newReceive);
        root = newRoot;
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
        if (plan.rank() != root) {
            plan.receive(root, receive, 0, receive.limit());
            return;
        }
        for (int distance = 1; distance < plan.size(); distance++) {
            int to = (root + distance) % plan.size();
            plan.send(to, send, blocks.offset(to), blocks.length(to));
            if (distance % WINDOW == 0) {
                plan.await();
            }
        }
        if (receive != null) {
            plan.copy(send, blocks.offset(root), receive, 0, blocks.length(root));
        }
    }
}
