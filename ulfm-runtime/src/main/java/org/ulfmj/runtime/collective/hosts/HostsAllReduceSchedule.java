package org.ulfmj.runtime.collective.hosts;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.collective.ReduceSchedule;
import org.ulfmj.runtime.member.HostedRanks;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * All ranks' vectors combined, at all ranks, with ranks on several hosts: each host combines at its leader, the leaders
 * do what {@link AllReduceSchedule} does, and each leader broadcasts the result in its host. Every rank gets the same
 * bits, and they depend on the contributions and on which ranks share a host, and on nothing else.
 */
public final class HostsAllReduceSchedule extends CollectiveSchedule {
    private final HostedRanks hosts;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final int elementBytes;
    private final Reduction reduction;

    /**
     * Takes vectors of whole elements, equally many at each rank. The result replaces the vector if {@code send} and
     * {@code receive} are the same object. An operator that does not commute needs hosts whose ranks are contiguous.
     */
    public HostsAllReduceSchedule(
            HostedRanks hosts, ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        super("allReduce", reduction, elementBytes);
        this.hosts = hosts;
        this.receive = view(receive);
        this.send = send == receive ? this.receive : view(send);
        this.elementBytes = elementBytes;
        this.reduction = reduction;
        requireEqual(this.send.limit(), this.receive.limit());
    }

    @Override
    public boolean waitsForAll() {
        return true;
    }

    @Override
    protected void plan(Plan plan) {
        int host = hosts.hostOf(plan.rank());
        int[] ranks = hosts.ranks(host);
        int place = hosts.place(plan.rank());
        boolean isLeader = place == 0;
        plan.within(ranks, place, new ReduceSchedule(send, isLeader ? receive : null, elementBytes, reduction, 0));
        if (isLeader) {
            plan.within(hosts.leaders(), host, new AllReduceSchedule(receive, receive, elementBytes, reduction));
        } else {
            // The result may replace the vector, which must have been sent by then.
            plan.await();
        }
        plan.within(ranks, place, new BroadcastSchedule(receive, 0));
    }
}
