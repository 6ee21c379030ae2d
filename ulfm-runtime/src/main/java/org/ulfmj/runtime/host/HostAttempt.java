package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * One attempt of the members of a communicator to share memory, in up to three exchanges of messages. In the first each
 * member tells what it offers. If some offered memory that was used before and cannot be used now, each tells in the
 * second which segment it has made. In the last each tells whether it could open the segments of all others. Unless the
 * attempt {@linkplain #run succeeds}, this rank gives back in the end what it has taken for it. Under the engine lock,
 * but while a segment is made.
 */
final class HostAttempt implements AutoCloseable {
    /**
     * The first tag of these exchanges. The tags of the program's collectives are the numbers of operations, which do
     * not reach this tag for a long time.
     */
    private static final int FIRST_TAG = Integer.MIN_VALUE;

    private static final int EXCHANGES = 3;

    private static final int OFFER_BYTES = 4 * Long.BYTES;
    private static final int ID = 0;
    private static final int LENGTH = 8;
    private static final int TRAITS = 12;
    private static final int GENERATION = 16;
    private static final int OPERATIONS = 24;

    private static final int CROWDED = 1;
    /**
     * Flag in a member's offer: at this member some other member is on another host, or there is no shared memory; that
     * does not change.
     */
    private static final int NEVER = 2;

    private final HostSetup setup;
    private final HostMemory memory;
    private final HostShare share;
    private final MessageContext communicator;
    private final String operation;
    private final int size;
    private final int firstTag;
    private final int traits;
    private final int segmentBytes;

    private HostSetup.Idle used;
    private Segment mine;
    private Segment[] segments;
    private boolean isNever;

    /**
     * @param number the number of this attempt on this communicator, equal at all members
     * @param step how often the communicator's segments have grown, with this attempt
     */
    HostAttempt(HostSetup setup, HostShare share, String operation, int number, int step) {
        this.setup = setup;
        this.memory = setup.memory;
        this.share = share;
        this.communicator = share.communicator;
        this.operation = operation;
        this.size = communicator.members().size();
        this.firstTag = FIRST_TAG + EXCHANGES * number;
        boolean isReached = memory != null && setup.areReached(HostSetup.processes(communicator));
        this.traits = (setup.crowded ? CROWDED : 0) | (isReached ? 0 : NEVER);
        this.segmentBytes = isReached ? memory.segmentBytes(size, step) : 0;
    }

    /**
     * Makes the attempt. Returns what the members share from now on; null if the attempt failed, at all members alike.
     * Throws if an exchange of messages ends with an error.
     *
     * @param candidate used shared memory of the same members that this rank offers again; null for none
     */
    HostCollective run(HostSetup.Idle candidate) {
        used = candidate;
        if (used == null) {
            create();
        }
        ByteBuffer offers = exchange(0, offer());
        HostCollective again = reuse(offers);
        if (again != null) {
            return again;
        }
        if (used != null) {
            setup.putIdle(used);
            used = null;
            create();
        }
        if (hasOfferAgain(offers)) {
            offers = exchange(1, offer());
        }
        readTraits(offers);
        if (isNever || isSame(offers, ID, 0)) {
            return null;
        }
        open(offers);
        ByteBuffer answer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        answer.putLong(0, segments == null ? 0 : 1);
        ByteBuffer answers = exchange(2, answer);
        for (int rank = 0; rank < size; rank++) {
            if (answers.getLong(rank * Long.BYTES) != 1) {
                memory.collectLater();
                return null;
            }
        }
        return begin(offers);
    }

    /** After {@link #run} has returned null: whether no later attempt can succeed. */
    boolean isInVainForEver() {
        return isNever;
    }

    /** Gives back what this attempt has taken, unless the attempt succeeded. */
    @Override
    public void close() {
        if (used != null) {
            setup.forget(used.host());
        }
        if (segments != null) {
            for (Segment segment : segments) {
                if (segment != null && segment != mine) {
                    memory.discard(segment);
                }
            }
        }
        if (mine != null) {
            memory.discard(mine);
        }
    }

    private void keepAll() {
        used = null;
        segments = null;
        mine = null;
    }

    /**
     * Makes this rank's segment of shared memory. The engine lock is let go meanwhile: a file is written, and the
     * garbage collector may be waited for.
     */
    private void create() {
        if ((traits & NEVER) != 0) {
            return;
        }
        setup.engine.leave();
        try {
            mine = memory.create(segmentBytes);
        } finally {
            setup.engine.lock().lock();
        }
        setup.engine.checkRunning();
    }

    private ByteBuffer offer() {
        ByteBuffer offer = ByteBuffer.allocate(OFFER_BYTES).order(ByteOrder.nativeOrder());
        if (mine != null) {
            offer.putLong(ID, mine.id()).putInt(LENGTH, mine.lengthBytes());
        }
        offer.putInt(TRAITS, traits);
        if (used != null) {
            HostCollective host = used.host();
            offer.putLong(GENERATION, host.generation)
                    .putLong(OPERATIONS, host.group().operations());
        }
        return offer;
    }

    private HostCollective reuse(ByteBuffer offers) {
        if (used == null) {
            return null;
        }
        HostCollective host = used.host();
        if (!isSame(offers, GENERATION, host.generation)
                || !isSame(offers, OPERATIONS, host.group().operations())) {
            return null;
        }
        keepAll();
        host.belongTo(share);
        return host;
    }

    private boolean isSame(ByteBuffer offers, int field, long value) {
        for (int rank = 0; rank < size; rank++) {
            if (offers.getLong(rank * OFFER_BYTES + field) != value) {
                return false;
            }
        }
        return true;
    }

    private boolean hasOfferAgain(ByteBuffer offers) {
        for (int rank = 0; rank < size; rank++) {
            if (offers.getLong(rank * OFFER_BYTES + GENERATION) != 0) {
                return true;
            }
        }
        return false;
    }

    private void readTraits(ByteBuffer offers) {
        for (int rank = 0; rank < size; rank++) {
            isNever |= (offers.getInt(rank * OFFER_BYTES + TRAITS) & NEVER) != 0;
            if (memory != null && offers.getLong(rank * OFFER_BYTES + ID) == 0) {
                // That member may have had no room for a segment. Memory that this rank has given up but still has
                // mapped may take that room: so it is collected.
                memory.collectLater();
            }
        }
    }

    /**
     * Opens the segments of all members. If a member has made none or one of another length, or its segment cannot be
     * opened, gives back this rank's segment and those that this rank has opened.
     */
    private void open(ByteBuffer offers) {
        ProcessId[] makers = HostSetup.processes(communicator);
        Segment[] opened = new Segment[size];
        segments = opened;
        for (int rank = 0; rank < size; rank++) {
            if (rank == communicator.rank()) {
                opened[rank] = mine;
                continue;
            }
            long id = offers.getLong(rank * OFFER_BYTES + ID);
            int length = offers.getInt(rank * OFFER_BYTES + LENGTH);
            if (mine != null && id != 0 && length == mine.lengthBytes()) {
                opened[rank] = memory.open(makers[rank], id);
            }
            if (opened[rank] == null || opened[rank].lengthBytes() != length) {
                close();
                keepAll();
                return;
            }
        }
    }

    private HostCollective begin(ByteBuffer offers) {
        boolean isCrowded = false;
        for (int rank = 0; rank < size; rank++) {
            isCrowded |= (offers.getInt(rank * OFFER_BYTES + TRAITS) & CROWDED) != 0;
        }
        HostGroup group = new HostGroup(memory, HostSetup.processes(communicator), communicator.rank(), segments);
        group.unlink();
        HostCollective host = new HostCollective(setup, group, offers.getLong(ID), isCrowded);
        keepAll();
        host.belongTo(share);
        return host;
    }

    /** Sends the bytes {@code said} to all members. Returns what every rank has sent, by rank. */
    private ByteBuffer exchange(int round, ByteBuffer said) {
        ByteBuffer all = ByteBuffer.allocate(size * said.capacity()).order(ByteOrder.nativeOrder());
        CollectiveSchedule schedule = new AllGatherSchedule(said.clear(), all, Blocks.equal(size, said.capacity()));
        ErrorClass failure = setup.byMessages.runBefore(communicator, schedule, operation, firstTag + round);
        if (failure != ErrorClass.SUCCESS) {
            // The operation for which the members tried to share memory takes its number on the communicator, although
            // it fails.
            communicator.beginCollective();
            throw setup.errors.ofCollective(communicator, operation, failure);
        }
        return all;
    }
}
