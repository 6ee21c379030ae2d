package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.inter.TwoGroups;

/**
 * The parts of all ranks of one group at the root, which is in the other group. Each part goes straight to the root.
 */
public final class InterGatherSchedule extends CollectiveSchedule {
    /** How many receives of the root may be open at once. */
    private static final int WINDOW = 32;

    private final TwoGroups groups;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final Blocks blocks;
    private final int root;

    /**
     * @param send null in the root's group
     * @param receive null at all ranks but the root, as {@code blocks} is, which has a part for each rank of the other
     *     group
     * @param root the number of the root among all members; negative at the other ranks of its group
     */
    public InterGatherSchedule(TwoGroups groups, ByteBuffer send, ByteBuffer receive, Blocks blocks, int root) {
        super("gather");
        this.groups = groups;
        this.send = send == null ? null : view(send);
        this.receive = receive == null ? null : view(receive);
        this.blocks = blocks;
        this.root = root;
    }

    @Override
    protected void plan(Plan plan) {
        if (plan.rank() == root) {
            receiveParts(plan, groups, receive, blocks);
        } else if (root >= 0) {
            plan.send(root, send, 0, send.limit());
        }
    }

    /** Plans to receive a part from each rank of the other group. */
    static void receiveParts(Plan plan, TwoGroups groups, ByteBuffer receive, Blocks blocks) {
        for (int rank = 0; rank < groups.remoteSize(); rank++) {
            plan.receive(groups.remoteStart() + rank, receive, blocks.offset(rank), blocks.length(rank));
            if (rank % WINDOW == WINDOW - 1) {
                plan.await();
            }
        }
    }
}
