package org.ulfmj.runtime.collective.hosts;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.collective.ReduceSchedule;
import org.ulfmj.runtime.member.HostedRanks;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * All ranks' vectors combined, at the root, with ranks on several hosts: each host combines at its leader, and the
 * leaders at the root, which leads its host. The bits are those of {@link HostsAllReduceSchedule}, for every root.
 */
public final class HostsReduceSchedule extends CollectiveSchedule {
    private final HostedRanks hosts;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final int elementBytes;
    private final Reduction reduction;
    private final int root;

    /**
     * {@code receive} counts at the root only and may be null elsewhere; the result replaces the root's vector if it is
     * the same object as {@code send}. An operator that does not commute needs hosts whose ranks are contiguous.
     */
    public HostsReduceSchedule(
            HostedRanks hosts, ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction, int root) {
        super("reduce", reduction, elementBytes);
        this.hosts = hosts;
        this.send = view(send);
        this.receive = send == receive || receive == null ? this.send : view(receive);
        this.elementBytes = elementBytes;
        this.reduction = reduction;
        this.root = root;
        requireEqual(this.send.limit(), this.receive.limit());
    }

    @Override
    protected void plan(Plan plan) {
        int host = hosts.hostOf(plan.rank());
        int[] ranks = hosts.ranks(host);
        int[] leaders = hosts.leaders(root);
        boolean isLeader = plan.rank() == leaders[host];
        ByteBuffer combined = send;
        if (ranks.length > 1) {
            if (isLeader) {
                combined = plan.rank() == root
                        ? receive
                        : plan.scratch(send.limit()).slice(0, send.limit());
            }
            int place = hosts.place(plan.rank());
            ByteBuffer result = isLeader ? combined : null;
            plan.within(
                    ranks,
                    place,
                    new ReduceSchedule(send, result, elementBytes, reduction, hosts.place(leaders[host])));
        }
        if (isLeader) {
            ByteBuffer result = plan.rank() == root ? receive : null;
            plan.within(
                    leaders, host, new ReduceSchedule(combined, result, elementBytes, reduction, hosts.hostOf(root)));
        }
    }
}
