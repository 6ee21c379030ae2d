package org.ulfmj.runtime.collective.choice;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.hosts.HostsAllGatherSchedule;
import org.ulfmj.runtime.collective.hosts.HostsAllReduceSchedule;
import org.ulfmj.runtime.collective.hosts.HostsBarrierSchedule;
import org.ulfmj.runtime.collective.hosts.HostsBroadcastSchedule;
import org.ulfmj.runtime.collective.hosts.HostsGatherSchedule;
import org.ulfmj.runtime.collective.hosts.HostsReduceSchedule;
import org.ulfmj.runtime.member.HostedRanks;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * The schedules of collective operations of ranks on several hosts, where they differ from those of one host. Each
 * method returns null if the operation goes as on one host. That depends on the operation, its lengths, its operator
 * and the placement of the members only, so all members decide alike. Loaded only where members are on several hosts.
 */
final class SchedulesByHost {
    private SchedulesByHost() {}

    static CollectiveSchedule barrier(MessageContext communicator) {
        HostedRanks hosts = communicator.hostedRanks();
        return hosts == null ? null : new HostsBarrierSchedule(hosts);
    }

    static CollectiveSchedule broadcast(MessageContext communicator, ByteBuffer data, int root) {
        HostedRanks hosts = communicator.hostedRanks();
        return hosts == null ? null : new HostsBroadcastSchedule(hosts, data, root);
    }

    /**
     * Returns the gather by hosts, see {@link HostsGatherSchedule}, for parts that are equally long by the kind of the
     * call; null if the parts are too long for it, or no two members share a host.
     */
    static CollectiveSchedule gather(
            MessageContext communicator, ByteBuffer send, ByteBuffer receive, Blocks blocks, int root) {
        int part = blocks == null ? send.remaining() : blocks.length(root);
        HostedRanks hosts = part > HostsGatherSchedule.LONGEST_PART ? null : communicator.hostedRanks();
        return hosts == null ? null : new HostsGatherSchedule(hosts, send, receive, blocks, root, part);
    }

    static CollectiveSchedule allGather(
            MessageContext communicator, ByteBuffer send, ByteBuffer receive, Blocks blocks) {
        HostedRanks hosts = communicator.hostedRanks();
        return hosts == null ? null : new HostsAllGatherSchedule(hosts, send, receive, blocks);
    }

    static CollectiveSchedule reduce(
            MessageContext communicator,
            ByteBuffer send,
            ByteBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        HostedRanks hosts = hosts(communicator, reduction);
        return hosts == null ? null : new HostsReduceSchedule(hosts, send, receive, elementBytes, reduction, root);
    }

    static CollectiveSchedule allReduce(
            MessageContext communicator, ByteBuffer both, int elementBytes, Reduction reduction) {
        HostedRanks hosts = hosts(communicator, reduction);
        return hosts == null ? null : new HostsAllReduceSchedule(hosts, both, both, elementBytes, reduction);
    }

    /**
     * Returns the hosts of the members for a reduction by hosts; null if the reduction is to go as on one host. Each
     * host first combines what its own ranks contribute. Where a host's ranks are not contiguous, that is another order
     * than that of the ranks. Operators that do not commute, and all operators of the program, are applied in the order
     * of the ranks only.
     */
    private static HostedRanks hosts(MessageContext communicator, Reduction reduction) {
        HostedRanks hosts = communicator.hostedRanks();
        boolean mayReorder = reduction.isCommutative() && !reduction.isUserCode();
        return hosts == null || mayReorder || hosts.isContiguous() ? hosts : null;
    }
}
