package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.lent.LentBuffer;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Blocking collective operations through memory that all members share. Called inside the engine.
 *
 * <p>Each operation returns false, and has not begun, if the members do not share memory, or do not use it for an
 * operation of this kind and size: at all members alike, since all decide by the same facts. Then the operation goes by
 * messages. Else the error rules are those of {@link CollectiveRunner}: the call takes its number on the communicator
 * in any case. It fails when it begins, or while it waits, as soon as a member is known to have failed or the
 * communicator to be revoked, and from then on it reads nothing. A call that ends by an error of the machine or of the
 * program's memory revokes the communicator.
 */
public final class HostCollectives {
    private final HostSetup setup;
    private final Lending lending;

    public HostCollectives(HostSetup setup, Lending lending) {
        this.setup = setup;
        this.lending = lending;
    }

    public boolean barrier(HostShare share, long description) {
        HostCollective host = setup.of(share, "barrier");
        if (host == null) {
            return false;
        }
        host.begin("barrier", description);
        try (host) {
            HostBarrier.run(host.group());
            return host.complete();
        }
    }

    public boolean broadcast(HostShare share, Payload data, int root, long description) {
        HostCollective host = setup.of(share, "bcast");
        if (host == null || isTooLong(data)) {
            return false;
        }
        host.begin("bcast", description);
        try (host) {
            HostBroadcast.run(host.group(), data, root);
            return host.complete();
        }
    }

    /**
     * Reduces the vectors of all ranks at a root, through shared memory if possible.
     *
     * @param receive null at all ranks but the root
     */
    public boolean reduce(
            HostShare share, Payload send, Payload receive, int elementBytes, Reduction reduction, int root) {
        HostCollective host = setup.of(share, "reduce");
        if (host == null || reduction.isUserCode() || isUneven(elementBytes) || isTooLong(send)) {
            return false;
        }
        host.begin("reduce", 0);
        try (host) {
            host.reduction().reduce(send, receive, elementBytes, reduction, root);
            return host.complete();
        }
    }

    public boolean allReduce(HostShare share, Payload send, Payload receive, int elementBytes, Reduction reduction) {
        return allReduce(share, send, receive, null, elementBytes, reduction, 0);
    }

    /**
     * As the other {@code allReduce}, with the result in {@code record} and in {@code data}. {@code data} keeps this
     * rank's vector until nothing can fail any more.
     *
     * @param data this rank's vector; null if {@code record} holds it
     */
    public boolean allReduce(
            HostShare share, Payload data, ByteBuffer record, int elementBytes, Reduction reduction, long description) {
        if (data != null) {
            return allReduce(share, data, data, record, elementBytes, reduction, description);
        }
        Payload all = new BufferPayload(record);
        return allReduce(share, all, all, null, elementBytes, reduction, description);
    }

    /**
     * Reduces the vectors of all ranks, at all ranks.
     *
     * @param record gets the result too, and then {@code receive} is the same object as {@code send}; null if no record
     *     is wanted
     */
    private boolean allReduce(
            HostShare share,
            Payload send,
            Payload receive,
            ByteBuffer record,
            int elementBytes,
            Reduction reduction,
            long description) {
        HostCollective host = setup.of(share, "allReduce");
        if (host == null || reduction.isUserCode() || isUneven(elementBytes) || isTooLong(send)) {
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

    /**
     * Gathers equally long parts of all ranks, at all ranks.
     *
     * @param mine this rank's part; null if it is in its place in {@code all}
     */
    public boolean allGather(HostShare share, Payload mine, Payload all, long description) {
        HostCollective host = setup.of(share, "allGather");
        if (host == null || isTooLong(all)) {
            return false;
        }
        host.begin("allGather", description);
        try (host) {
            HostGather gather = host.gather();
            boolean mayBeLent = gather.mayBeLent(all.lengthBytes());
            LentBuffer lent = mayBeLent ? (mine == null ? lending.bufferOf(all) : lentBeside(mine, all)) : null;
            gather.allGather(mine, all, lent);
            return host.complete();
        }
    }

    public boolean allToAll(HostShare share, Payload send, Payload receive) {
        HostCollective host = setup.of(share, "allToAll");
        if (host == null || isTooLong(send)) {
            return false;
        }
        host.begin("allToAll", 0);
        try (host) {
            HostGather gather = host.gather();
            gather.allToAll(send, receive, gather.mayBeLent(send.lengthBytes()) ? lentBeside(send, receive) : null);
            return host.complete();
        }
    }

    /**
     * Notes that the program has freed the communicator: another communicator of the same members may use its memory,
     * once no call of this rank is in it.
     */
    public void freed(HostShare share) {
        HostCollective host = share.host();
        boolean isInUse = host != null && host.isInUse();
        if (!isInUse && !share.isInSetup()) {
            setup.freed(share);
        }
    }

    /**
     * Returns the lent buffer in which other ranks may read what this rank sends; null if {@code send} lies in none, or
     * if {@code receive} lies in the same lent buffer.
     */
    private LentBuffer lentBeside(Payload send, Payload receive) {
        LentBuffer lent = lending.bufferOf(send);
        return lent != null && lent.id() == lending.idOf(receive) ? null : lent;
    }

    /**
     * Whether pieces of vectors would not have whole elements, as with a pair of 12 bytes. Such calls go by messages.
     */
    private static boolean isUneven(int elementBytes) {
        return Integer.bitCount(elementBytes) != 1 || elementBytes > VectorFold.CHUNK_BYTES;
    }

    /** Whether a payload has more bytes than an int can count. Then the call goes by messages. */
    private static boolean isTooLong(Payload payload) {
        return payload.lengthBytes() > Integer.MAX_VALUE;
    }
}
