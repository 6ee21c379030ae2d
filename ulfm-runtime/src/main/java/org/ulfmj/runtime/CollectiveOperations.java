package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.collective.choice.PackedCollective;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.collective.run.KeptCall;
import org.ulfmj.runtime.collective.run.KeptCalls;
import org.ulfmj.runtime.host.HostCollectives;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Carries out whole calls of blocking collective operations, and is the one place that decides how each travels.
 * Barrier, broadcast, reduce, allreduce, allgather and alltoall go through shared memory if {@link HostCollectives}
 * takes the call, else by messages ({@link CollectiveRunner}); the others always go by messages, and so does every
 * operation between the groups of an inter-communicator. {@link PackedCollective} chooses the schedule of the messages.
 * All members decide alike. Data are packed without the engine lock.
 *
 * <p>An operation may have a description: a number by which members compare which operation each is in. 0 means none.
 * Operations with a description return true only if all others were known to have begun the operation when it ended
 * here, and false at a rank without others.
 *
 * <p>The messages of an operation with a description are those for ranks on one host, wherever the ranks run: the
 * operation may be done again after a replacement on another host, and the bits of its result must not depend on where
 * that is.
 */
final class CollectiveOperations {
    private final RankEngine engine;
    private final HostCollectives inMemory;
    private final CollectiveRunner byMessages;
    private final KeptCalls kept;

    CollectiveOperations(RankEngine engine, HostCollectives inMemory, CollectiveRunner byMessages) {
        this.engine = engine;
        this.inMemory = inMemory;
        this.byMessages = byMessages;
        this.kept = engine.keptCalls();
    }

    /**
     * Notes that the communicator was freed: its shared memory may serve another communicator of the same members, or
     * is given up. Called inside the engine.
     */
    void freed(CommunicatorState communicator) {
        inMemory.freed(communicator.hostShare);
    }

    void barrier(CommunicatorState communicator) {
        engine.enter(communicator, "barrier");
        try {
            if (isWithin(communicator) && inMemory.barrier(communicator.hostShare, 0)) {
                return;
            }
        } finally {
            engine.leave();
        }
        KeptCall call = kept.take();
        run(communicator, call, call.packed().barrier(communicator));
    }

    void broadcast(CommunicatorState communicator, CollectiveBuffer data, int root) {
        engine.enter(communicator, "bcast");
        try {
            if (isWithin(communicator) && inMemory.broadcast(communicator.hostShare, data.payload(), root, 0)) {
                return;
            }
        } finally {
            engine.leave();
        }
        KeptCall call = kept.take();
        run(communicator, call, call.packed().broadcast(communicator, data, root));
    }

    /**
     * @param send null if the root's part lies in its place in {@code receive} already; {@code receive} is null at all
     *     ranks but the root
     * @param areEqual whether all parts are equally long by the kind of the call
     */
    void gather(
            CommunicatorState communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            boolean areEqual,
            int root) {
        KeptCall call = kept.take();
        run(communicator, call, call.packed().gather(communicator, send, receive, areEqual, root));
    }

    /**
     * @param send null at all ranks but the root; {@code receive} is null if the root's part is to stay in its place
     */
    void scatter(CommunicatorState communicator, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        KeptCall call = kept.take();
        run(communicator, call, call.packed().scatter(communicator, send, receive, root));
    }

    /** @param send null if this rank's part is in its place in {@code receive} */
    void allGather(CommunicatorState communicator, CollectiveBuffer send, CollectiveBuffer receive) {
        Payload all = receive.payload();
        if (all != null && isWithin(communicator)) {
            engine.enter(communicator, "allGather");
            try {
                if (inMemory.allGather(communicator.hostShare, send == null ? null : send.payload(), all, 0)) {
                    return;
                }
            } finally {
                engine.leave();
            }
        }
        KeptCall call = kept.take();
        run(communicator, call, call.packed().allGather(communicator, send, receive));
    }

    void allToAll(CommunicatorState communicator, CollectiveBuffer send, CollectiveBuffer receive) {
        Payload parts = send.payload();
        if (parts != null && isWithin(communicator)) {
            engine.enter(communicator, "allToAll");
            try {
                if (inMemory.allToAll(communicator.hostShare, parts, receive.payload())) {
                    return;
                }
            } finally {
                engine.leave();
            }
        }
        KeptCall call = kept.take();
        run(communicator, call, call.packed().allToAll(communicator, send, receive));
    }

    /** @param send has one part, which goes to each destination, or a part for each destination */
    void neighbors(
            CommunicatorState communicator,
            String operation,
            Neighborhood neighbors,
            CollectiveBuffer send,
            CollectiveBuffer receive) {
        KeptCall call = kept.take();
        run(communicator, call, call.packed().neighbors(operation, neighbors, send, receive));
    }

    /** @param receive null at all ranks but the root; may be the same object as {@code send} */
    void reduce(
            CommunicatorState communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        engine.enter(communicator, "reduce");
        try {
            Payload result = receive == null ? null : receive.payload();
            if (isWithin(communicator)
                    && inMemory.reduce(communicator.hostShare, send.payload(), result, elementBytes, reduction, root)) {
                return;
            }
        } finally {
            engine.leave();
        }
        KeptCall call = kept.take();
        run(communicator, call, call.packed().reduce(communicator, send, receive, elementBytes, reduction, root));
    }

    /** @param receive may be {@code send} */
    void allReduce(
            CommunicatorState communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        engine.enter(communicator, "allReduce");
        try {
            if (isWithin(communicator)
                    && inMemory.allReduce(
                            communicator.hostShare, send.payload(), receive.payload(), elementBytes, reduction)) {
                return;
            }
        } finally {
            engine.leave();
        }
        KeptCall call = kept.take();
        run(communicator, call, call.packed().allReduce(communicator, send, receive, elementBytes, reduction));
    }

    /** @param receive may be {@code send} */
    void scan(
            CommunicatorState communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        KeptCall call = kept.take();
        run(communicator, call, call.packed().scan(send, receive, elementBytes, reduction));
    }

    /** @param receive may be the same object as {@code send}; at rank 0 {@code receive} stays as it is */
    void exclusiveScan(
            CommunicatorState communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        KeptCall call = kept.take();
        run(communicator, call, call.packed().exclusiveScan(communicator, send, receive, elementBytes, reduction));
    }

    /** @param send has a part for each rank; {@code receive} gets this rank's part of the result */
    void reduceScatter(
            CommunicatorState communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction) {
        KeptCall call = kept.take();
        run(communicator, call, call.packed().reduceScatter(communicator, send, receive, elementBytes, reduction));
    }

    boolean describedBarrier(CommunicatorState communicator, long description) {
        engine.enter(communicator, "barrier");
        try {
            if (inMemory.barrier(communicator.hostShare, description)) {
                return communicator.members().size() > 1;
            }
        } finally {
            engine.leave();
        }
        return run(communicator, new BarrierSchedule(), description);
    }

    boolean describedBroadcast(CommunicatorState communicator, ByteBuffer data, int root, long description) {
        engine.enter(communicator, "bcast");
        try {
            if (inMemory.broadcast(communicator.hostShare, new BufferPayload(data), root, description)) {
                return false;
            }
        } finally {
            engine.leave();
        }
        return run(communicator, new BroadcastSchedule(data, root), description);
    }

    boolean describedAllReduce(
            CommunicatorState communicator,
            Payload mine,
            ByteBuffer result,
            int elementBytes,
            Reduction reduction,
            long description) {
        if (mine != null && mine.lengthBytes() != result.remaining()) {
            throw new IllegalArgumentException("allReduce of " + mine.lengthBytes() + " bytes into "
                    + result.remaining() + ": both must be equal");
        }
        engine.enter(communicator, "allReduce");
        try {
            if (inMemory.allReduce(communicator.hostShare, mine, result, elementBytes, reduction, description)) {
                return communicator.members().size() > 1;
            }
        } finally {
            engine.leave();
        }
        if (mine != null) {
            mine.copyOut(0, result.duplicate().order(ByteOrder.nativeOrder()));
        }
        CollectiveSchedule schedule = new AllReduceSchedule(result, result, elementBytes, reduction);
        boolean waitedForAll = run(communicator, schedule, description);
        if (mine != null) {
            mine.copyIn(0, result.duplicate().order(ByteOrder.nativeOrder()));
        }
        return waitedForAll;
    }

    boolean describedAllGather(CommunicatorState communicator, Payload mine, ByteBuffer all, long description) {
        int size = communicator.members().size();
        int part = all.remaining() / size;
        if (part * size != all.remaining() || mine != null && mine.lengthBytes() != part) {
            throw new IllegalArgumentException(
                    "allGather of " + (mine == null ? "" : mine.lengthBytes() + " bytes and ") + "room for "
                            + all.remaining() + " bytes of " + size + " ranks: parts must be equal");
        }
        engine.enter(communicator, "allGather");
        try {
            if (inMemory.allGather(communicator.hostShare, mine, new BufferPayload(all), description)) {
                return size > 1;
            }
        } finally {
            engine.leave();
        }
        if (mine != null) {
            ByteBuffer own = all.duplicate().order(ByteOrder.nativeOrder());
            own.position(all.position() + communicator.rank() * part).limit(own.position() + part);
            mine.copyOut(0, own);
        }
        return run(communicator, new AllGatherSchedule(null, all, Blocks.equal(size, part)), description);
    }

    /**
     * Whether the communicator is no inter-communicator, so that its members may exchange data in shared memory. Data
     * between two groups always goes by messages.
     */
    private static boolean isWithin(CommunicatorState communicator) {
        return !communicator.isInter();
    }

    /**
     * Runs an operation to its end, by messages, and brings its result to the program's buffer.
     *
     * @param packed the packed arguments of {@code call}, or others that were made for this operation
     */
    private void run(CommunicatorState communicator, KeptCall call, PackedCollective packed) {
        CollectiveSchedule schedule = packed.schedule();
        schedule.prepare(communicator.rank(), communicator.members().size());
        engine.enter(communicator, schedule.operation());
        try {
            byMessages.run(communicator, call, schedule, schedule.operation());
        } finally {
            engine.leave();
        }
        if (packed.result() != null) {
            packed.result().unpack();
        }
        kept.giveBack(call);
    }

    /**
     * Runs a schedule to its end, by messages. Returns whether all others were known to have begun the operation when
     * it ended here; false without a description, and at a rank without others.
     */
    boolean run(CommunicatorState communicator, CollectiveSchedule schedule, long description) {
        int size = communicator.members().size();
        if (description == 0) {
            schedule.prepare(communicator.rank(), size);
        } else {
            schedule.prepareWhole(communicator.rank(), size);
        }
        engine.enter(communicator, schedule.operation());
        try {
            if (description == 0) {
                byMessages.run(communicator, schedule, schedule.operation());
                return false;
            }
            byMessages.runDescribed(communicator, schedule, schedule.operation(), description);
        } finally {
            engine.leave();
        }
        return size > 1 && schedule.waitsForAll();
    }
}
