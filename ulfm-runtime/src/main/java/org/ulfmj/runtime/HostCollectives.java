package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.host.HostBarrier;
import org.ulfmj.runtime.host.HostBroadcast;
import org.ulfmj.runtime.host.HostGather;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Blocking collective operations through memory that all members share. Called inside the engine.
 *
 * <p>Each method returns false, with nothing done, if the members do not share memory, or not for an operation of this
 * kind and size: at all members alike, since all know the same of it. Then it goes by messages. Else the error rules
 * are those of {@link CollectiveRunner}: the number that the operation has is taken in any case, it fails on entry, and
 * while it waits, as soon as a member is known to have failed or the communicator to be revoked, and then nothing is
 * read any more. A call that ends by any other error than those, of the machine or of the program's memory, revokes the
 * communicator.
 */
final class HostCollectives {
    private final RankEngine engine;
    private final HostSetup setup;

    HostCollectives(RankEngine engine, RankSettings settings) {
        this.engine = engine;
        this.setup = new HostSetup(engine, settings);
    }

    boolean barrier(CommunicatorState communicator, long description) {
        HostCollective host = setup.of(communicator, "barrier");
        if (host == null) {
            return false;
        }
        host.begin("barrier", description);
        try (host) {
            HostBarrier.run(host.group());
            return host.complete();
        }
    }

    boolean broadcast(CommunicatorState communicator, Payload data, int root, long description) {
        HostCollective host = setup.of(communicator, "bcast");
        if (host == null || isTooLong(data)) {
            return false;
        }
        host.begin("bcast", description);
        try (host) {
            HostBroadcast.run(host.group(), data, root);
            return host.complete();
        }
    }

    /** @param receive null at all but the root */
    boolean reduce(
            CommunicatorState communicator,
            Payload send,
            Payload receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        HostCollective host = setup.of(communicator, "reduce");
        if (host == null || reduction.isUserCode() || isTooLong(send)) {
            return false;
        }
        host.begin("reduce", 0);
        try (host) {
            host.reduction().reduce(send, receive, elementBytes, reduction, root);
            return host.complete();
        }
    }

    boolean allReduce(
            CommunicatorState communicator, Payload send, Payload receive, int elementBytes, Reduction reduction) {
        return allReduce(communicator, send, receive, null, elementBytes, reduction, 0);
    }

    /**
     * The same, recorded: the result is in {@code record} and in {@code data}, which until nothing can fail any more
     * holds what this rank gives.
     *
     * @param data null if {@code record} holds what this rank gives
     */
    boolean allReduce(
            CommunicatorState communicator,
            Payload data,
            ByteBuffer record,
            int elementBytes,
            Reduction reduction,
            long description) {
        if (data != null) {
            return allReduce(communicator, data, data, record, elementBytes, reduction, description);
        }
        Payload all = new BufferPayload(record);
        return allReduce(communicator, all, all, null, elementBytes, reduction, description);
    }

    /** @param record gets the result beside {@code receive}, which is {@code send} then; null for none */
    private boolean allReduce(
            CommunicatorState communicator,
            Payload send,
            Payload receive,
            ByteBuffer record,
            int elementBytes,
            Reduction reduction,
            long description) {
        HostCollective host = setup.of(communicator, "allReduce");
        if (host == null || reduction.isUserCode() || isTooLong(send)) {
            return false;
        }
        host.begin("allReduce", description);
        try (host) {
            if (record == null) {
                host.reduction().allReduce(send, receive, elementBytes, reduction);
            } else {
                host.reduction().allReduceRecorded(send, record, elementBytes, reduction);
            }
            return host.complete();
        }
    }

    /** @param mine null if the own part is in its place */
    boolean allGather(CommunicatorState communicator, Payload mine, Payload all, long description) {
        HostCollective host = setup.of(communicator, "allGather");
        if (host == null || isTooLong(all)) {
            return false;
        }
        host.begin("allGather", description);
        try (host) {
            HostGather gather = host.gather();
            boolean mayBeLent = gather.mayBeLent(all.lengthBytes());
            long lentId = mayBeLent ? (mine == null ? engine.traffic().lending().idOf(all) : lentBeside(mine, all)) : 0;
            gather.allGather(mine, all, lentId);
            return host.complete();
        }
    }

    boolean allToAll(CommunicatorState communicator, Payload send, Payload receive) {
        HostCollective host = setup.of(communicator, "allToAll");
        if (host == null || isTooLong(send)) {
            return false;
        }
        host.begin("allToAll", 0);
        try (host) {
            HostGather gather = host.gather();
            gather.allToAll(send, receive, gather.mayBeLent(send.lengthBytes()) ? lentBeside(send, receive) : 0);
            return host.complete();
        }
    }

    /** The program has freed the communicator: others of the same members may use its memory. */
    void freed(CommunicatorState communicator) {
        HostCollective host = communicator.hostShare.host();
        boolean isInUse = host != null && host.isInUse();
        if (!isInUse && !communicator.hostShare.isInSetup()) {
            setup.freed(communicator);
        }
    }

    /**
     * The lent memory that others may read a send buffer in; 0 if there is none. A program that receives into the same
     * memory errs, but by all other ways it gets what it wants: so it goes one of those.
     */
    private long lentBeside(Payload send, Payload receive) {
        long id = engine.traffic().lending().idOf(send);
        return id != 0 && id == engine.traffic().lending().idOf(receive) ? 0 : id;
    }

    /** What cannot be packed is refused on the other way. */
    private static boolean isTooLong(Payload payload) {
        return payload.lengthBytes() > Integer.MAX_VALUE;
    }
}
