package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.inter.TwoGroups;

/**
 * The parts of all ranks of the other group at each rank, also of different lengths. Each part goes straight to the
 * leader of the group that gets it, because the leader of the group that gives it need not know its length. The leader,
 * which is rank 0, broadcasts all parts in its group.
 */
public final class InterAllGatherSchedule extends CollectiveSchedule {
    private final TwoGroups groups;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final Blocks blocks;

    /**
     * @param blocks with a part for each rank of the other group: of the same lengths at all ranks of this group, at
     *     any offsets
     */
    public InterAllGatherSchedule(TwoGroups groups, ByteBuffer send, ByteBuffer receive, Blocks blocks) {
        super("allGather");
        this.groups = groups;
        this.send = view(send);
        this.receive = view(receive);
        this.blocks = blocks;
    }

    @Override
    protected void plan(Plan plan) {
        if (groups.remoteSize() == 0) {
            return;
        }
        plan.send(groups.remoteStart(), send, 0, send.limit());
        int total = (int) blocks.totalLength();
        // The bytes between the parts of the program's buffer differ between ranks, and are to stay as they are.
        boolean isPacked = blocks.isPacked();
        ByteBuffer all = isPacked ? receive : plan.scratch(total);
        Blocks parts = isPacked ? blocks : blocks.withoutGaps();
        if (plan.rank() == groups.localStart()) {
            InterGatherSchedule.receiveParts(plan, groups, all, parts);
            plan.await();
        }
        plan.within(groups, new BroadcastSchedule(all.slice(0, total), 0));
        if (!isPacked) {
            plan.await();
            for (int rank = 0; rank < blocks.size(); rank++) {
                plan.copy(all, parts.offset(rank), receive, blocks.offset(rank), blocks.length(rank));
            }
        }
    }
}
