package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The vectors of all ranks of the other group combined, at each rank. Each group combines at its leader, its rank 0;
 * the leaders exchange the results, and broadcast what they get in their groups. All ranks of a group get the same
 * bits.
 */
public final class InterAllReduceSchedule extends CollectiveSchedule {
    private final TwoGroups groups;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final int elementBytes;
    private final Reduction reduction;

    /** Takes vectors of whole elements, equally many at each rank of both groups. */
    public InterAllReduceSchedule(
            TwoGroups groups, ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        super("allReduce", reduction, elementBytes);
        this.groups = groups;
        this.send = view(send);
        this.receive = view(receive);
        this.elementBytes = elementBytes;
        this.reduction = reduction;
        requireEqual(this.send.limit(), this.receive.limit());
    }

    @Override
    protected void plan(Plan plan) {
        if (groups.remoteSize() == 0) {
            return;
        }
        int length = receive.limit();
        ByteBuffer combined = InterReduceSchedule.toLeader(plan, groups, send, elementBytes, reduction);
        if (combined != null) {
            plan.receive(groups.remoteStart(), receive, 0, length);
            plan.send(groups.remoteStart(), combined, 0, length);
            plan.await();
        }
        plan.within(groups, new BroadcastSchedule(receive, 0));
    }
}
