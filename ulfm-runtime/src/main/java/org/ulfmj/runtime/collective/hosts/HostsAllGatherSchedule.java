package org.ulfmj.runtime.collective.hosts;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.member.HostedRanks;

/**
 * Every rank's part at every rank, also of different lengths, with ranks on several hosts. Short: each leader gathers
 * the parts of its host, the leaders exchange them as {@link AllGatherSchedule} does, and each broadcasts all parts in
 * its host. Long: the ring of {@link AllGatherSchedule}, host after host, in which every part comes to each host once.
 */
public final class HostsAllGatherSchedule extends CollectiveSchedule {
    private final HostedRanks hosts;
    private final ByteBuffer send;
    private final ByteBuffer receive;
    private final Blocks blocks;

    /**
     * All ranks give blocks of the same lengths; {@code send} is null if this rank's part is in its place in
     * {@code receive} already.
     */
    public HostsAllGatherSchedule(HostedRanks hosts, ByteBuffer send, ByteBuffer receive, Blocks blocks) {
        super("allGather");
        this.hosts = hosts;
        this.send = send == null ? null : view(send);
        this.receive = view(receive);
        this.blocks = blocks;
    }

    @Override
    public boolean waitsForAll() {
        return true;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        if (send != null) {
            plan.copy(send, 0, receive, blocks.offset(rank), blocks.length(rank));
        }
        int[] order = hosts.inHostOrder();
        if (blocks.totalLength() < AllGatherSchedule.LONG_BYTES) {
            throughLeaders(plan, order);
        } else {
            plan.within(order, indexOf(order, rank), new AllGatherSchedule(null, receive, blocksOf(order)));
        }
    }

    private static int indexOf(int[] order, int rank) {
        int index = 0;
        while (order[index] != rank) {
            index++;
        }
        return index;
    }

    private Blocks blocksOf(int[] order) {
        int[] offsets = new int[order.length];
        int[] lengths = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            offsets[i] = blocks.offset(order[i]);
            lengths[i] = blocks.length(order[i]);
        }
        return Blocks.at(offsets, lengths);
    }

    private void throughLeaders(Plan plan, int[] order) {
        int rank = plan.rank();
        int host = hosts.hostOf(rank);
        int total = (int) blocks.totalLength();
        int[] ranks = hosts.ranks(host);
        if (rank != ranks[0]) {
            plan.send(ranks[0], receive, blocks.offset(rank), blocks.length(rank));
            plan.await();
        }
        // The parts lie here host after host without gaps, so that the parts of a host are one message.
        ByteBuffer all = plan.scratch(total);
        int[] starts = new int[hosts.hosts()];
        int[] lengths = new int[hosts.hosts()];
        int end = 0;
        for (int each : order) {
            int itsHost = hosts.hostOf(each);
            if (each == hosts.leaders()[itsHost]) {
                starts[itsHost] = end;
            }
            int length = blocks.length(each);
            if (rank == ranks[0] && itsHost == host) {
                if (each == rank) {
                    plan.copy(receive, blocks.offset(rank), all, end, length);
                } else {
                    plan.receive(each, all, end, length);
                }
            }
            lengths[itsHost] += length;
            end += length;
        }
        if (rank == ranks[0]) {
            plan.await();
            plan.within(hosts.leaders(), host, new AllGatherSchedule(null, all, Blocks.at(starts, lengths)));
        }
        plan.within(ranks, hosts.place(rank), new BroadcastSchedule(all.slice(0, total), 0));
        plan.await();
        int from = 0;
        for (int each : order) {
            if (each != rank) {
                plan.copy(all, from, receive, blocks.offset(each), blocks.length(each));
            }
            from += blocks.length(each);
        }
    }
}
