package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.collective.ScatterSchedule;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The vectors of all ranks of the other group combined, rank r of this group getting part r. Each group combines at its
 * leader, its rank 0; the leaders exchange the results, and scatter what they get in their groups.
 */
public final class InterReduceScatterSchedule extends CollectiveSchedule {
    private final TwoGroups groups;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final Blocks blocks;
    private final int elementBytes;
    private final Reduction reduction;

    /**
     * @param send the vector, equally long at each rank of both groups
     * @param blocks which part of the result each rank of this group gets: whole elements, the same at all ranks of the
     *     group
     */
    public InterReduceScatterSchedule(
            TwoGroups groups,
            ByteBuffer send,
            ByteBuffer receive,
            Blocks blocks,
            int elementBytes,
            Reduction reduction) {
        super("reduceScatter", reduction, elementBytes);
        this.groups = groups;
        this.send = view(send);
        this.receive = view(receive);
        this.blocks = blocks;
        this.elementBytes = elementBytes;
        this.reduction = reduction;
    }

    @Override
    protected void plan(Plan plan) {
        if (groups.remoteSize() == 0) {
            return;
        }
        int length = send.limit();
        ByteBuffer combined = InterReduceSchedule.toLeader(plan, groups, send, elementBytes, reduction);
        if (combined == null) {
            plan.within(groups, new ScatterSchedule(null, null, receive, 0));
            return;
        }
        ByteBuffer theirs = plan.scratch(length);
        plan.receive(groups.remoteStart(), theirs, 0, length);
        plan.send(groups.remoteStart(), combined, 0, length);
        plan.await();
        plan.within(groups, new ScatterSchedule(theirs.slice(0, length), blocks, receive, 0));
    }
}
