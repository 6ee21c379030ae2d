package org.ulfmj.runtime.collective.hosts;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.member.HostedRanks;

/**
 * Every rank's part at the root, with ranks on several hosts: the leader of each host gathers the parts of its host,
 * and sends them to the root as one message. The root leads its host. Parts are equal, so that a leader knows how long
 * those of its host are.
 */
public final class HostsGatherSchedule extends CollectiveSchedule {
    /**
     * The most bytes of a part that goes through a leader. Longer ones go straight to the root: there are no fewer
     * bytes in fewer messages, and a leader would only copy them.
     */
    public static final int LONGEST_PART = 4 * 1024;

    /** How many receives of the root, or of a leader, may be open at once. */
    private static final int WINDOW = 32;

    private final HostedRanks hosts;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final Blocks blocks;
    private final int root;
    private final int part;
    private int opened;

    /**
     * {@code receive} and {@code blocks} count at the root only and may be null elsewhere; {@code send} is null at the
     * root if its part is in its place already.
     *
     * @param part the bytes of each rank's part
     */
    public HostsGatherSchedule(
            HostedRanks hosts, ByteBuffer send, ByteBuffer receive, Blocks blocks, int root, int part) {
        super("gather");
        this.hosts = hosts;
        this.send = send == null ? null : view(send);
        this.receive = receive == null ? null : view(receive);
        this.blocks = blocks;
        this.root = root;
        this.part = part;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        int host = hosts.hostOf(rank);
        int leader = hosts.leaders(root)[host];
        if (rank == root) {
            gather(plan, host);
        } else if (rank == leader) {
            int[] ranks = hosts.ranks(host);
            ByteBuffer all = plan.scratch((long) ranks.length * part);
            for (int place = 0; place < ranks.length; place++) {
                if (ranks[place] == rank) {
                    plan.copy(send, 0, all, place * part, part);
                } else {
                    receive(plan, ranks[place], all, place * part, part);
                }
            }
            plan.await();
            plan.send(root, all, 0, ranks.length * part);
        } else {
            plan.send(leader, send, 0, part);
        }
    }

    private void gather(Plan plan, int ownHost) {
        int[] leaders = hosts.leaders(root);
        ByteBuffer[] arrived = new ByteBuffer[leaders.length];
        for (int host = 0; host < leaders.length; host++) {
            int[] ranks = hosts.ranks(host);
            if (host == ownHost) {
                for (int from : ranks) {
                    if (from != root) {
                        receive(plan, from, receive, blocks.offset(from), part);
                    }
                }
            } else if (ranks.length == 1) {
                receive(plan, ranks[0], receive, blocks.offset(ranks[0]), part);
            } else {
                arrived[host] = plan.scratch((long) ranks.length * part);
                receive(plan, leaders[host], arrived[host], 0, ranks.length * part);
            }
        }
        plan.await();
        for (int host = 0; host < leaders.length; host++) {
            int[] ranks = hosts.ranks(host);
            for (int place = 0; arrived[host] != null && place < ranks.length; place++) {
                plan.copy(arrived[host], place * part, receive, blocks.offset(ranks[place]), part);
            }
        }
        if (send != null) {
            plan.copy(send, 0, receive, blocks.offset(root), part);
        }
    }

    private void receive(Plan plan, int from, ByteBuffer into, int offset, int length) {
        plan.receive(from, into, offset, length);
        if (++opened % WINDOW == 0) {
            plan.await();
        }
    }
}
