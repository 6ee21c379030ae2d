package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * The gather by messages: the root gets the parts of all ranks, also of different lengths. Each part goes straight to
 * the root.
 */
public final class GatherSchedule extends CollectiveSchedule {
    /** How many receives of the root may be open at once. */
    private static final int WINDOW = 32;

    private ByteBuffer send;
    private ByteBuffer receive;
    private Blocks blocks;
    private int root;

    /** To be set. */
    public GatherSchedule() {
        super("gather");
    }

    /** As {@link #set}. */
    public GatherSchedule(ByteBuffer send, ByteBuffer receive, Blocks blocks, int root) {
        this();
        set(send, receive, blocks, root);
    }

    /**
     * Sets the buffers and the root. {@code receive} and {@code blocks} count at the root only and may be null
     * elsewhere; {@code send} is null at the root if its part is in its place in {@code receive} already.
     */
    public GatherSchedule set(ByteBuffer newSend, ByteBuffer newReceive, Blocks newBlocks, int newRoot) {
        send = newSend == null ? null : view(newSend);
        receive = newReceive == null ? null : view(newReceive);
        blocks = newBlocks;
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
            plan.send(root, send, 0, send.limit());
            return;
        }
        for (int distance = 1; distance < plan.size(); distance++) {
            int from = (root + distance) % plan.size();
            plan.receive(from, receive, blocks.offset(from), blocks.length(from));
            if (distance % WINDOW == 0) {
                plan.await();
            }
        }
        if (send != null) {
            plan.copy(send, 0, receive, blocks.offset(root), blocks.length(root));
        }
    }
}
