package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.collective.ReduceSchedule;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The vectors of all ranks of one group combined, at the root, which is in the other group: combined at the leader, its
 * group's rank 0, as {@link ReduceSchedule} does it, and sent to the root.
 */
public final class InterReduceSchedule extends CollectiveSchedule {
    private final TwoGroups groups;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final int elementBytes;
    private final Reduction reduction;
    private final int root;

    /**
     * @param send null in the root's group
     * @param receive null at all ranks but the root
     * @param root the number of the root among all members; negative at the other ranks of its group
     */
    public InterReduceSchedule(
            TwoGroups groups, ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction, int root) {
        super("reduce", reduction, elementBytes);
        this.groups = groups;
        this.send = send == null ? null : view(send);
        this.receive = receive == null ? null : view(receive);
        this.elementBytes = elementBytes;
        this.reduction = reduction;
        this.root = root;
    }

    @Override
    protected void plan(Plan plan) {
        if (plan.rank() == root) {
            if (groups.remoteSize() > 0) {
                plan.receive(groups.remoteStart(), receive, 0, receive.limit());
            }
        } else if (root >= 0) {
            ByteBuffer combined = toLeader(plan, groups, send, elementBytes, reduction);
            if (combined != null) {
                plan.send(root, combined, 0, send.limit());
            }
        }
    }

    /**
     * Combines the vectors of a group at its leader. Returns the buffer that holds the result at the leader, and null
     * at other ranks.
     */
    static ByteBuffer toLeader(Plan plan, TwoGroups groups, ByteBuffer send, int elementBytes, Reduction reduction) {
        int length = send.limit();
        boolean isLeader = plan.rank() == groups.localStart();
        ByteBuffer combined = isLeader ? plan.scratch(length) : null;
        ByteBuffer result = isLeader ? combined.slice(0, length) : null;
        plan.within(groups, new ReduceSchedule(send, result, elementBytes, reduction, 0));
        return combined;
    }
}
