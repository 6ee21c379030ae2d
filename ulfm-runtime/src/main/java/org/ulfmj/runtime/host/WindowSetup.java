package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * The setup in which the members of a communicator come to share a {@link HostWindow}, while their programs go on: one
 * or two exchanges of messages that no thread waits for. In the first each member tells which segment it has made, in
 * the second whether it could open the segments of all others. All members get the same answers. Under the engine lock.
 */
final class WindowSetup {
    /**
     * The first tag of these exchanges. Numbers of operations and the tags of {@link HostAttempt} do not reach it for a
     * long time.
     */
    private static final int FIRST_TAG = Integer.MIN_VALUE + (1 << 29);

    private static final int TAGS_OF_LONG = 1 << 28;
    private static final int EXCHANGES = 2;

    private static final int OFFER_BYTES = 2 * Long.BYTES;
    private static final int ID = 0;
    private static final int LENGTH = 8;
    /**
     * Where in an offer the member says whether other members are on another host, or it has no shared memory, which
     * does not change.
     */
    private static final int NEVER = 12;

    private final HostQueue queue;
    private final HostMemory memory;
    private final MessageContext communicator;
    private final int size;
    private final Segment mine;
    private final int firstTag;
    private Segment[] segments;
    /** The exchange that is under way. */
    private ScheduleRun exchange;

    /** @param number the number of this setup in its queue, equal at all members */
    WindowSetup(HostQueue queue, Segment mine, boolean isLong, int number) {
        this.queue = queue;
        this.memory = queue.all.setup.memory;
        this.communicator = queue.communicator;
        this.size = communicator.members().size();
        this.mine = mine;
        this.firstTag = FIRST_TAG + (isLong ? TAGS_OF_LONG : 0) + EXCHANGES * number;
    }

    void begin() {
        ByteBuffer offer = ByteBuffer.allocate(OFFER_BYTES).order(ByteOrder.nativeOrder());
        if (mine != null) {
            offer.putLong(ID, mine.id()).putInt(LENGTH, mine.lengthBytes());
        }
        boolean isReached = memory != null && queue.all.setup.areReached(HostSetup.processes(communicator));
        offer.putInt(NEVER, isReached ? 0 : 1);
        ByteBuffer offers = all(OFFER_BYTES);
        exchange(0, offer, offers, (error, thrown) -> onOffers(error, offers));
    }

    private ByteBuffer all(int bytes) {
        return ByteBuffer.allocate(size * bytes).order(ByteOrder.nativeOrder());
    }

    private void exchange(int round, ByteBuffer said, ByteBuffer all, ScheduleRun.Listener listener) {
        exchange = queue.all.runs.beginBeside(
                communicator,
                new AllGatherSchedule(said, all, Blocks.equal(size, said.capacity())),
                "a non-blocking collective",
                firstTag + round,
                listener);
    }

    /** The ranks from or to which this rank awaits the end of a message of the setup. */
    List<Integer> awaitedRanks() {
        return exchange == null ? List.of() : exchange.awaitedRanks();
    }

    private void onOffers(ErrorClass error, ByteBuffer offers) {
        if (error != ErrorClass.SUCCESS) {
            giveBack();
            return;
        }
        boolean isNever = false;
        boolean haveNone = true;
        for (int rank = 0; rank < size; rank++) {
            isNever |= offers.getInt(rank * OFFER_BYTES + NEVER) != 0;
            haveNone &= offers.getLong(rank * OFFER_BYTES + ID) == 0;
        }
        if (isNever || haveNone) {
            giveBack();
            queue.onVain(isNever);
            return;
        }
        boolean isOpen = open(offers);
        ByteBuffer answer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        answer.putLong(0, isOpen ? 1 : 0);
        ByteBuffer answers = all(Long.BYTES);
        exchange(1, answer, answers, (failure, thrown) -> onAnswers(failure, answers));
    }

    /**
     * Opens the segments of all members. Returns false if not all members have made one of the same length, or one
     * cannot be opened.
     */
    private boolean open(ByteBuffer offers) {
        ProcessId[] makers = HostSetup.processes(communicator);
        segments = new Segment[size];
        for (int rank = 0; rank < size; rank++) {
            long id = offers.getLong(rank * OFFER_BYTES + ID);
            int length = offers.getInt(rank * OFFER_BYTES + LENGTH);
            if (mine == null || id == 0 || length != mine.lengthBytes()) {
                return false;
            }
            segments[rank] = rank == communicator.rank() ? mine : memory.open(makers[rank], id);
            if (segments[rank] == null || segments[rank].lengthBytes() != length) {
                return false;
            }
        }
        return true;
    }

    private void onAnswers(ErrorClass error, ByteBuffer answers) {
        boolean isShared = error == ErrorClass.SUCCESS;
        for (int rank = 0; rank < size; rank++) {
            isShared &= answers.getLong(rank * Long.BYTES) == 1;
        }
        if (isShared) {
            queue.onShared(segments);
            return;
        }
        giveBack();
        if (error == ErrorClass.SUCCESS) {
            memory.collectLater();
            queue.onVain(false);
        }
    }

    private void giveBack() {
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
}
