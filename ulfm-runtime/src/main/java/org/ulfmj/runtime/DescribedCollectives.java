package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Whole calls of collective operations of which the program says what they are, for {@link Communicator}: through the
 * members' memory if they share any, by messages if not. Each returns whether all others were known to have begun the
 * operation when it ended here. A description of 0 says nothing.
 */
final class DescribedCollectives {
    private final RankEngine engine;
    private final HostCollectives inMemory;
    private final CollectiveRunner byMessages;

    DescribedCollectives(RankEngine engine, HostCollectives inMemory, CollectiveRunner byMessages) {
        this.engine = engine;
        this.inMemory = inMemory;
        this.byMessages = byMessages;
    }

    boolean barrier(CommunicatorState communicator, long description) {
        engine.enter(communicator, "barrier");
        try {
            if (inMemory.barrier(communicator, description)) {
                return communicator.members.size() > 1;
            }
        } finally {
            engine.leave();
        }
        return run(communicator, new BarrierSchedule(), description);
    }

    boolean broadcast(CommunicatorState communicator, ByteBuffer data, int root, long description) {
        engine.enter(communicator, "bcast");
        try {
            if (inMemory.broadcast(communicator, new BufferPayload(data), root, description)) {
                return false;
            }
        } finally {
            engine.leave();
        }
        return run(communicator, new BroadcastSchedule(data, root), description);
    }

    boolean allReduce(
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
            if (inMemory.allReduce(communicator, mine, result, elementBytes, reduction, description)) {
                return communicator.members.size() > 1;
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

    boolean allGather(CommunicatorState communicator, Payload mine, ByteBuffer all, long description) {
        int size = communicator.members.size();
        int part = all.remaining() / size;
        if (part * size != all.remaining() || mine != null && mine.lengthBytes() != part) {
            throw new IllegalArgumentException(
                    "allGather of " + (mine == null ? "" : mine.lengthBytes() + " bytes and ") + "room for "
                            + all.remaining() + " bytes of " + size + " ranks: parts must be equal");
        }
        engine.enter(communicator, "allGather");
        try {
            if (inMemory.allGather(communicator, mine, new BufferPayload(all), description)) {
                return size > 1;
            }
        } finally {
            engine.leave();
        }
        if (mine != null) {
            ByteBuffer own = all.duplicate().order(ByteOrder.nativeOrder());
            own.position(all.position() + communicator.rank * part).limit(own.position() + part);
            mine.copyOut(0, own);
        }
        return run(communicator, new AllGatherSchedule(null, all, Blocks.equal(size, part)), description);
    }

    private boolean run(CommunicatorState communicator, CollectiveSchedule schedule, long description) {
        int size = communicator.members.size();
        if (description == 0) {
            schedule.prepare(communicator.rank, size);
        } else {
            schedule.prepareWhole(communicator.rank, size);
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
