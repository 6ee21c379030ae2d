package org.ulfmj.runtime.collective.inter;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.AllToAllSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.inter.TwoGroups;

/**
 * A part from every rank of each group for every rank of the other one, also of different lengths. In round d rank r
 * sends to rank r + d of the other group and receives from rank r − d of it, as if both groups had as many ranks as the
 * larger one: so no rank is every rank's target at once.
 */
public final class InterAllToAllSchedule extends CollectiveSchedule {
    private final TwoGroups groups;
    private final ByteBuffer send;
    private final Blocks sendBlocks;
    private final ByteBuffer receive;
    private final Blocks receiveBlocks;

    /** Both buffers have a part for each rank of the other group. */
    public InterAllToAllSchedule(
            TwoGroups groups, ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        super("allToAll");
        this.groups = groups;
        this.send = view(send);
        this.sendBlocks = sendBlocks;
        this.receive = view(receive);
        this.receiveBlocks = receiveBlocks;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = groups.rankOf(plan.rank());
        int peers = groups.remoteSize();
        int rounds = Math.max(groups.localSize(), peers);
        for (int distance = 0; distance < rounds; distance++) {
            int to = (rank + distance) % rounds;
            int from = (rank + rounds - distance) % rounds;
            if (from < peers) {
                plan.receive(
                        groups.remoteStart() + from, receive, receiveBlocks.offset(from), receiveBlocks.length(from));
            }
            if (to < peers) {
                plan.send(groups.remoteStart() + to, send, sendBlocks.offset(to), sendBlocks.length(to));
            }
            if (distance % AllToAllSchedule.WINDOW == AllToAllSchedule.WINDOW - 1) {
                plan.await();
            }
        }
    }
}
