package org.ulfmj.runtime.collective.hosts;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.member.HostedRanks;

/**
 * The root's bytes at every rank, with ranks on several hosts: along a binomial tree of the leaders, and from each
 * leader along a binomial tree of its host. The root leads its host. Leaders serve other hosts first. A segment goes on
 * to the ranks of a host while the next one comes from another host.
 */
public final class HostsBroadcastSchedule extends CollectiveSchedule {
    private final HostedRanks hosts;
    private final ByteBuffer data;
    private final int root;

    /** Takes the bytes to be sent or received, equally many at every rank, and the root. */
    public HostsBroadcastSchedule(HostedRanks hosts, ByteBuffer data, int root) {
        super("bcast");
        this.hosts = hosts;
        this.data = view(data);
        this.root = root;
    }

    @Override
    protected void plan(Plan plan) {
        int host = hosts.hostOf(plan.rank());
        int[] ranks = hosts.ranks(host);
        int[] leaders = hosts.leaders(root);
        int place = hosts.place(plan.rank());
        int first = hosts.place(leaders[host]);
        int[] children = named(ranks, BroadcastSchedule.children(place, ranks.length, first));
        if (place != first) {
            int parent = ranks[BroadcastSchedule.parent(place, ranks.length, first)];
            BroadcastSchedule.handOn(plan, data, parent, children);
            return;
        }
        int rootHost = hosts.hostOf(root);
        int parent = BroadcastSchedule.parent(host, leaders.length, rootHost);
        int[] below = named(leaders, BroadcastSchedule.children(host, leaders.length, rootHost));
        int[] all = Arrays.copyOf(below, below.length + children.length);
        System.arraycopy(children, 0, all, below.length, children.length);
        BroadcastSchedule.handOn(plan, data, parent < 0 ? parent : leaders[parent], all);
    }

    private static int[] named(int[] ranks, int[] places) {
        for (int i = 0; i < places.length; i++) {
            places[i] = ranks[places[i]];
        }
        return places;
    }
}
