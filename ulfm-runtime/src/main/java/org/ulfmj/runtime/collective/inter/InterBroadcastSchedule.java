package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.inter.TwoGroups;

/**
 * The root's bytes at every rank of the other group: one message to that group's leader, its rank 0, and from there
 * along the tree of {@link BroadcastSchedule}.
 */
public final class InterBroadcastSchedule extends CollectiveSchedule {
    private final TwoGroups groups;
    private final ByteBuffer data;
    private final int root;

    /**
     * @param data null at the ranks of the root's group other than the root
     * @param root the number of the root among all members; negative at the other ranks of its group
     */
    public InterBroadcastSchedule(TwoGroups groups, ByteBuffer data, int root) {
        super("bcast");
        this.groups = groups;
        this.data = data == null ? NOTHING : view(data);
        this.root = root;
    }

    @Override
    protected void plan(Plan plan) {
        int length = data.limit();
        if (plan.rank() == root && groups.remoteSize() > 0) {
            plan.send(groups.remoteStart(), data, 0, length);
        } else if (plan.rank() != root && root >= 0) {
            if (plan.rank() == groups.localStart()) {
                plan.receive(root, data, 0, length);
                plan.await();
            }
            plan.within(groups, new BroadcastSchedule(data, 0));
        }
    }
}
