package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.inter.TwoGroups;

/** Part r of the root's buffer at rank r of the other group. Each part goes straight from the root. */
public final class InterScatterSchedule extends CollectiveSchedule {
    /** How many sends of the root may be open at once. */
    private static final int WINDOW = 32;

    private final TwoGroups groups;
    private final ByteBuffer send;
    private final Blocks blocks;
    private final ByteBuffer receive;
    private final int root;

    /**
     * @param send null at all ranks but the root, as {@code blocks} is, which has a part for each rank of the other
     *     group
     * @param receive null in the root's group
     * @param root the number of the root among all members; negative at the other ranks of its group
     */
    public InterScatterSchedule(TwoGroups groups, ByteBuffer send, Blocks blocks, ByteBuffer receive, int root) {
        super("scatter");
        this.groups = groups;
        this.send = send == null ? null : view(send);
        this.blocks = blocks;
        this.receive = receive == null ? null : view(receive);
        this.root = root;
    }

    @Override
    protected void plan(Plan plan) {
        if (plan.rank() != root) {
            if (root >= 0) {
                plan.receive(root, receive, 0, receive.limit());
            }
            return;
        }
        for (int rank = 0; rank < groups.remoteSize(); rank++) {
            plan.send(groups.remoteStart() + rank, send, blocks.offset(rank), blocks.length(rank));
            if (rank % WINDOW == WINDOW - 1) {
                plan.await();
            }
        }
    }
}
