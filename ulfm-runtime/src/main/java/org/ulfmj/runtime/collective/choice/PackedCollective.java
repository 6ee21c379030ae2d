package org.ulfmj.runtime.collective.choice;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.AllToAllSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.ExclusiveScanSchedule;
import org.ulfmj.runtime.collective.GatherSchedule;
import org.ulfmj.runtime.collective.NeighborSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.collective.ReduceScatterSchedule;
import org.ulfmj.runtime.collective.ReduceSchedule;
import org.ulfmj.runtime.collective.ScanSchedule;
import org.ulfmj.runtime.collective.ScatterSchedule;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * A collective operation that goes by messages, ready to begin: its arguments are packed, which is done without the
 * engine lock. On an inter-communicator it is one of {@link PackedInterCollective}, unless it is a barrier.
 *
 * <p>An object may be set for one operation after the other, each when the one before has succeeded ({@link #reset}):
 * it keeps the schedules of the kinds that it was set for, for later calls. One operation uses it at a time. Schedules
 * by hosts and between groups are made anew each time.
 */
public final class PackedCollective {
    private CollectiveSchedule schedule;
    private CollectiveBuffer result;

    private BarrierSchedule barrier;
    private BroadcastSchedule broadcast;
    private GatherSchedule gather;
    private ScatterSchedule scatter;
    private AllGatherSchedule allGather;
    private AllToAllSchedule allToAll;
    private NeighborSchedule neighbors;
    private ReduceSchedule reduce;
    private AllReduceSchedule allReduce;
    private ScanSchedule scan;
    private ExclusiveScanSchedule exclusiveScan;
    private ReduceScatterSchedule reduceScatter;
    /**
     * Where the parts lay in the last neighbour collective that sent one part to all neighbours; kept for the next such
     * call.
     */
    private Blocks same;

    PackedCollective set(CollectiveSchedule newSchedule, CollectiveBuffer newResult) {
        schedule = newSchedule;
        result = newResult;
        return this;
    }

    public CollectiveSchedule schedule() {
        return schedule;
    }

    /** The buffer that the result is unpacked to in the end; null if nothing is unpacked. */
    public CollectiveBuffer result() {
        return result;
    }

    /** Forgets an operation that has succeeded: the object may be set for another one. */
    public void reset() {
        schedule.reset();
        schedule = null;
        result = null;
    }

    public PackedCollective barrier(MessageContext communicator) {
        CollectiveSchedule byHosts = isByHosts(communicator) ? SchedulesByHost.barrier(communicator) : null;
        return set(byHosts == null ? barrier() : byHosts, null);
    }

    /** Whether {@link SchedulesByHost} is asked. */
    private static boolean isByHosts(MessageContext communicator) {
        return !communicator.isOnOneHost() && !communicator.isInter();
    }

    public PackedCollective broadcast(MessageContext communicator, CollectiveBuffer data, int root) {
        if (communicator.isInter()) {
            return PackedInterCollective.broadcast(communicator, data, root);
        }
        boolean isRoot = communicator.rank() == root;
        if (isRoot) {
            data.pack();
        }
        ByteBuffer bytes = data.packed();
        CollectiveSchedule byHosts =
                isByHosts(communicator) ? SchedulesByHost.broadcast(communicator, bytes, root) : null;
        return set(byHosts == null ? broadcast().set(bytes, root) : byHosts, isRoot ? null : data);
    }

    /**
     * @param send null if the root's part lies in its place in {@code receive} already; {@code receive} is null at all
     *     ranks but the root
     * @param areEqual whether all parts are equally long by the kind of the call
     */
    public PackedCollective gather(
            MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive, boolean areEqual, int root) {
        if (communicator.isInter()) {
            return PackedInterCollective.gather(communicator, send, receive, root);
        }
        ByteBuffer all = null;
        Blocks blocks = null;
        if (communicator.rank() == root) {
            packOwnPart(communicator, send, receive);
            all = receive.packed();
            blocks = receive.blocks();
        } else {
            send.pack();
        }
        ByteBuffer mine = packed(send);
        CollectiveSchedule byHosts = areEqual && isByHosts(communicator)
                ? SchedulesByHost.gather(communicator, mine, all, blocks, root)
                : null;
        return set(byHosts == null ? gather().set(mine, all, blocks, root) : byHosts, receive);
    }

    /**
     * @param send null at all ranks but the root; {@code receive} is null if the root's part is to stay in its place
     */
    public PackedCollective scatter(
            MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        if (communicator.isInter()) {
            return PackedInterCollective.scatter(communicator, send, receive, root);
        }
        if (communicator.rank() != root) {
            return set(scatter().set(null, null, receive.packed(), root), receive);
        }
        ByteBuffer received = packed(receive);
        send.pack();
        return set(scatter().set(send.packed(), send.blocks(), received, root), receive);
    }

    /** @param send null if this rank's part is in its place in {@code receive} */
    public PackedCollective allGather(MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive) {
        if (communicator.isInter()) {
            return PackedInterCollective.allGather(communicator.groups(), send, receive);
        }
        packOwnPart(communicator, send, receive);
        ByteBuffer mine = packed(send);
        ByteBuffer all = receive.packed();
        Blocks blocks = receive.blocks();
        CollectiveSchedule byHosts =
                isByHosts(communicator) ? SchedulesByHost.allGather(communicator, mine, all, blocks) : null;
        return set(byHosts == null ? allGather().set(mine, all, blocks) : byHosts, receive);
    }

    public PackedCollective allToAll(MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive) {
        if (communicator.isInter()) {
            return PackedInterCollective.allToAll(communicator.groups(), send, receive);
        }
        send.pack();
        return set(allToAll().set(send.packed(), send.blocks(), receive.packed(), receive.blocks()), receive);
    }

    /** @param send has one part, which goes to each destination, or a part for each destination */
    public PackedCollective neighbors(
            String operation, Neighborhood neighbors, CollectiveBuffer send, CollectiveBuffer receive) {
        send.pack();
        Blocks parts = send.blocks();
        int destinations = neighbors.destinationCount();
        Blocks sent = parts.size() == destinations ? parts : same(destinations, parts.length(0));
        return set(
                neighbors().set(operation, neighbors, send.packed(), sent, receive.packed(), receive.blocks()),
                receive);
    }

    /** @param receive null at all ranks but the root; may be the same object as {@code send} */
    public PackedCollective reduce(
            MessageContext communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        if (communicator.isInter()) {
            return PackedInterCollective.reduce(communicator, send, receive, elementBytes, reduction, root);
        }
        ByteBuffer result = null;
        if (receive == null) {
            send.pack();
        } else {
            receive.packFrom(send);
            result = receive.packed();
        }
        ByteBuffer mine = result == null ? send.packed() : result;
        CollectiveSchedule byHosts = isByHosts(communicator)
                ? SchedulesByHost.reduce(communicator, mine, result, elementBytes, reduction, root)
                : null;
        return set(byHosts == null ? reduce().set(mine, result, elementBytes, reduction, root) : byHosts, receive);
    }

    /** @param receive may be {@code send} */
    public PackedCollective allReduce(
            MessageContext communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        if (communicator.isInter()) {
            return PackedInterCollective.allReduce(communicator.groups(), send, receive, elementBytes, reduction);
        }
        receive.packFrom(send);
        ByteBuffer both = receive.packed();
        CollectiveSchedule byHosts =
                isByHosts(communicator) ? SchedulesByHost.allReduce(communicator, both, elementBytes, reduction) : null;
        return set(byHosts == null ? allReduce().set(both, both, elementBytes, reduction) : byHosts, receive);
    }

    /** @param receive may be {@code send} */
    public PackedCollective scan(
            CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        receive.packFrom(send);
        ByteBuffer both = receive.packed();
        return set(scan().set(both, both, elementBytes, reduction), receive);
    }

    /** @param receive may be the same object as {@code send}; at rank 0 {@code receive} stays as it is */
    public PackedCollective exclusiveScan(
            MessageContext communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        send.pack();
        return set(
                exclusiveScan().set(send.packed(), receive.packed(), elementBytes, reduction),
                communicator.rank() == 0 ? null : receive);
    }

    /** @param send has a part for each rank; {@code receive} gets this rank's part of the result */
    public PackedCollective reduceScatter(
            MessageContext communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        if (communicator.isInter()) {
            return PackedInterCollective.reduceScatter(communicator.groups(), send, receive, elementBytes, reduction);
        }
        send.pack();
        return set(
                reduceScatter().set(send.packed(), receive.packed(), send.blocks(), elementBytes, reduction), receive);
    }

    private BarrierSchedule barrier() {
        if (barrier == null) {
            barrier = new BarrierSchedule();
        }
        return barrier;
    }

    private BroadcastSchedule broadcast() {
        if (broadcast == null) {
            broadcast = new BroadcastSchedule();
        }
        return broadcast;
    }

    private GatherSchedule gather() {
        if (gather == null) {
            gather = new GatherSchedule();
        }
        return gather;
    }

    private ScatterSchedule scatter() {
        if (scatter == null) {
            scatter = new ScatterSchedule();
        }
        return scatter;
    }

    private AllGatherSchedule allGather() {
        if (allGather == null) {
            allGather = new AllGatherSchedule();
        }
        return allGather;
    }

    private AllToAllSchedule allToAll() {
        if (allToAll == null) {
            allToAll = new AllToAllSchedule();
        }
        return allToAll;
    }

    private NeighborSchedule neighbors() {
        if (neighbors == null) {
            neighbors = new NeighborSchedule();
        }
        return neighbors;
    }

    private ReduceSchedule reduce() {
        if (reduce == null) {
            reduce = new ReduceSchedule();
        }
        return reduce;
    }

    private AllReduceSchedule allReduce() {
        if (allReduce == null) {
            allReduce = new AllReduceSchedule();
        }
        return allReduce;
    }

    private ScanSchedule scan() {
        if (scan == null) {
            scan = new ScanSchedule();
        }
        return scan;
    }

    private ExclusiveScanSchedule exclusiveScan() {
        if (exclusiveScan == null) {
            exclusiveScan = new ExclusiveScanSchedule();
        }
        return exclusiveScan;
    }

    private ReduceScatterSchedule reduceScatter() {
        if (reduceScatter == null) {
            reduceScatter = new ReduceScatterSchedule();
        }
        return reduceScatter;
    }

    private Blocks same(int count, int lengthBytes) {
        if (same == null || same.size() != count || count > 0 && same.length(0) != lengthBytes) {
            same = Blocks.same(count, lengthBytes);
        }
        return same;
    }

    /** Packs this rank's part: from the buffer that gets all parts if {@code send} is null, else from {@code send}. */
    private static void packOwnPart(MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive) {
        receive.packed();
        if (send == null) {
            receive.packPart(communicator.rank());
        } else {
            send.pack();
        }
    }

    private static ByteBuffer packed(CollectiveBuffer buffer) {
        return buffer == null ? null : buffer.packed();
    }
}
