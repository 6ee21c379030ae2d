package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;

/** What every medium promises; asked of each by a subclass. */
@Timeout(120)
public abstract class TransportContract {
    /** The fabrics of a world and how to kill one of its ranks. */
    public interface World extends AutoCloseable {
        Fabric fabric(int slot);

        /** As SIGKILL would. */
        void kill(int slot);

        @Override
        void close();
    }

    protected static final ProcessId ZERO = ProcessId.of(0);
    protected static final ProcessId ONE = ProcessId.of(1);

    private World world;
    private Received[] received;

    /** Ranks that know each other and have exchanged nothing. */
    protected abstract World newWorld(int ranks);

    @AfterEach
    void closeWorld() {
        if (world != null) {
            world.close();
        }
    }

    protected final Fabric fabric(int slot) {
        return world.fabric(slot);
    }

    protected final Received received(int slot) {
        return received[slot];
    }

    protected final World start(int ranks) {
        world = newWorld(ranks);
        received = new Received[ranks];
        for (int slot = 0; slot < ranks; slot++) {
            received[slot] = new Received();
        }
        return world;
    }

    protected final void poll(int slot) {
        world.fabric(slot).pollWithSeat(received[slot]);
    }

    /** Polls the given ranks until the condition holds. */
    protected final void pollUntil(BooleanSupplier condition, int... slots) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a minute has passed").isLessThan(endNs);
            for (int slot : slots) {
                poll(slot);
            }
        }
    }

    private void offerPatiently(int from, ProcessId to, LaneKind lane, Frame frame) {
        while (!world.fabric(from).offer(to, lane, frame)) {
            poll(from);
            poll(to.slot());
        }
    }

    private List<Received.Item> items(int slot, LaneKind lane) {
        List<Received.Item> items = new ArrayList<>();
        for (Received.Item item : received[slot].frames) {
            if (item.lane() == lane) {
                items.add(item);
            }
        }
        return items;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldDeliverEveryFrameOfALaneInOrderAndOnce(long seed) {
        start(3);
        Random random = new Random(seed);
        List<byte[]>[] sent = newSent();
        for (int i = 0; i < 600; i++) {
            LaneKind lane = random.nextInt(4) == 0 ? LaneKind.CONTROL : LaneKind.DATA;
            int from = random.nextInt(2);
            int size = random.nextInt(10) == 0 ? random.nextInt(Frame.MAX_PAYLOAD_BYTES) : random.nextInt(300);
            byte[] payload = Frames.bytes(size, seed * 1_000_003 + i);
            List<byte[]> ofLane = sent[2 * from + lane.ordinal()];
            offerPatiently(from, ProcessId.of(2), lane, Frames.numbered(ofLane.size(), payload));
            ofLane.add(payload);
            for (int polls = random.nextInt(3); polls > 0; polls--) {
                poll(random.nextInt(3));
            }
        }
        pollUntil(() -> received[2].frames.size() == 600, 0, 1, 2);
        for (int polls = 0; polls < 100; polls++) {
            poll(2);
        }
        List<byte[]>[] got = newSent();
        for (Received.Item item : received[2].frames) {
            List<byte[]> ofLane = got[2 * item.from().slot() + item.lane().ordinal()];
            assertThat(item.sequence()).as("seed " + seed).isEqualTo(ofLane.size());
            ofLane.add(item.payload());
        }
        for (int lane = 0; lane < sent.length; lane++) {
            assertThat(got[lane].size()).isEqualTo(sent[lane].size());
            for (int i = 0; i < sent[lane].size(); i++) {
                assertThat(got[lane].get(i)).as("seed " + seed).isEqualTo(sent[lane].get(i));
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<byte[]>[] newSent() {
        List<byte[]>[] lists = new List[4];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new ArrayList<>();
        }
        return lists;
    }

    @Test
    void shouldCarryEveryFieldOfAFrame() {
        start(2);
        Frame frame = new Frame().reset(FrameType.CHUNK);
        frame.stream = 200;
        frame.flags = 0x1234;
        frame.tag = -7;
        frame.communicator = 0x8123456789abcdefL;
        frame.source = 65_000;
        frame.sequence = -1;
        frame.length = 1L << 40;
        frame.id = 77;
        frame.peerId = -78;
        frame.payload(new BufferPayload(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5})), 1, 3);
        List<String> texts = new ArrayList<>();
        byte[] payload = new byte[3];
        Received sink = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame got) {
                texts.add(got + " stream=" + got.stream + " flags=" + got.flags + " id=" + got.id + " peerId="
                        + got.peerId);
                got.received.get(payload);
            }
        };
        fabric(0).offer(ONE, LaneKind.DATA, frame);
        while (texts.isEmpty()) {
            poll(0);
            fabric(1).pollWithSeat(sink);
        }

        assertThat(texts).containsExactly(frame + " stream=200 flags=4660 id=77 peerId=-78");
        assertThat(payload).containsExactly(2, 3, 4);
    }

    @Test
    void shouldCarryAnEmptyAndTheLargestFrame() {
        start(2);
        byte[] largest = Frames.bytes(Frame.MAX_PAYLOAD_BYTES, 3);
        for (LaneKind lane : LaneKind.values()) {
            offerPatiently(0, ONE, lane, Frames.numbered(0));
            offerPatiently(0, ONE, lane, Frames.numbered(1, largest));
        }
        pollUntil(() -> received[1].frames.size() == 4, 0, 1);

        for (LaneKind lane : LaneKind.values()) {
            assertThat(items(1, lane).get(0).payload()).isEmpty();
            assertThat(items(1, lane).get(1).payload()).isEqualTo(largest);
        }
    }

    @Test
    void shouldRefuseWhatDoesNotFitUntilThereIsRoomAgain() {
        start(2);
        byte[] payload = Frames.bytes(100_000, 4);
        int taken = 0;
        while (taken < 10_000 && fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(taken, payload))) {
            taken++;
        }
        assertThat(taken).as("frames of 100 kB that nobody reads").isBetween(1, 9_999);
        assertThat(fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(0)))
                .as("control is never refused")
                .isTrue();

        int number = taken;
        pollUntil(() -> fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(number, payload)), 0, 1);
        pollUntil(() -> items(1, LaneKind.DATA).size() == number + 1, 0, 1);
        assertThat(items(1, LaneKind.CONTROL)).hasSize(1);
    }

    @Test
    void shouldLetControlOvertakeData() {
        start(2);
        byte[] payload = Frames.bytes(60_000, 5);
        int sent = 0;
        // Until the lane and whatever the medium holds are full.
        for (int refusals = 0; refusals < 3; refusals++) {
            while (fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(sent, payload))) {
                sent++;
            }
            if (received[1].frames.isEmpty()) {
                poll(0);
                poll(1);
            }
            poll(0);
        }
        fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(0));
        int total = sent + 1;
        pollUntil(() -> received[1].frames.size() == total, 0, 1);

        int at = 0;
        while (received[1].frames.get(at).lane() != LaneKind.CONTROL) {
            at++;
        }
        assertThat(at).as("frames handed over before the control frame").isLessThan(sent);
    }

    @Test
    void shouldNeverThrowForADeadPeerAndTakeEverythingOnceItIsAbandoned() {
        start(2);
        offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1, 0, 1);
        world.kill(1);
        byte[] payload = Frames.bytes(200_000, 6);
        for (int i = 0; i < 200; i++) {
            fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, payload));
            fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i));
            poll(0);
        }
        assertThat(fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(9, payload)))
                .as("the lane is full")
                .isFalse();
        fabric(0).abandon(ONE);

        for (int i = 0; i < 100; i++) {
            assertThat(fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, payload)))
                    .isTrue();
        }
        assertThat(fabric(0).isHandedOver(ONE)).isTrue();
    }

    @Test
    void shouldDropFramesToTheUnknown() {
        start(2);
        assertThat(fabric(0).offer(ProcessId.of(17), LaneKind.DATA, Frames.numbered(1)))
                .isTrue();
        assertThat(fabric(0).offer(new ProcessId(1, 3), LaneKind.DATA, Frames.numbered(1)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldHandOverAPrefixOfWhatTheKilledHadSentAndThenSaySo(long seed) {
        start(2);
        Random random = new Random(seed);
        List<Integer> sizes = new ArrayList<>();
        int sent = 0;
        int toSend = 1 + random.nextInt(60);
        while (sent < toSend) {
            byte[] payload = Frames.bytes(random.nextInt(50_000), seed + sent);
            if (fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(sent, payload))) {
                sizes.add(payload.length);
                sent++;
            }
            if (random.nextInt(3) == 0) {
                poll(0);
                poll(1);
            }
        }
        world.kill(0);
        fabric(1).drain(ZERO);
        pollUntil(() -> received[1].events.contains("drained 0"), 1);
        int delivered = received[1].frames.size();
        for (int i = 0; i < delivered; i++) {
            assertThat(received[1].frames.get(i).sequence()).as("seed " + seed).isEqualTo(i);
            byte[] payload = received[1].frames.get(i).payload();
            assertThat(payload)
                    .as("a frame is handed over whole or not at all, seed " + seed)
                    .hasSize(sizes.get(i))
                    .isEqualTo(Frames.bytes(payload.length, seed + i));
        }
        assertThat(delivered).isLessThanOrEqualTo(sent);
        for (int i = 0; i < 50; i++) {
            poll(1);
        }
        assertThat(received[1].frames)
                .as("nothing after the drain, seed " + seed)
                .hasSize(delivered);
        assertThat(received[1].events).as("seed " + seed).containsExactly("drained 0");
    }

    @Test
    void shouldReportADrainOfAPeerThatNeverSent() {
        start(2);
        world.kill(0);
        fabric(1).drain(ZERO);
        pollUntil(() -> !received[1].events.isEmpty(), 1);

        assertThat(received[1].events).containsExactly("drained 0");
    }

    @Test
    void shouldHandOverNothingOfAnAbandonedPeerAndTellIt() {
        start(2);
        offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1, 0, 1);
        for (int i = 1; i < 10; i++) {
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(i));
        }
        fabric(1).abandon(ZERO);
        pollUntil(() -> received[0].events.contains("excluded 1"), 0, 1);

        assertThat(received[1].frames).hasSize(1);
    }

    @Test
    void shouldAbandonTheSenderInTheMiddleOfItsFrames() {
        start(2);
        for (int i = 0; i < 20; i++) {
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(i));
        }
        List<Integer> got = new ArrayList<>();
        Received sink = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                got.add(frame.sequence);
                if (got.size() == 5) {
                    fabric(1).abandon(ZERO);
                }
            }
        };
        pollUntil(
                () -> {
                    fabric(1).pollWithSeat(sink);
                    return received[0].events.contains("excluded 1");
                },
                0);

        assertThat(got).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldAnswerFromWithinAFrame() {
        start(2);
        int rounds = 200;
        Received echo = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                fabric(1).offer(from, LaneKind.DATA, Frames.numbered(frame.sequence));
            }
        };
        for (int i = 0; i < rounds; i++) {
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(i));
        }
        pollUntil(
                () -> {
                    fabric(1).pollWithSeat(echo);
                    return received[0].frames.size() >= rounds;
                },
                0);

        assertThat(received[0].sequences()).hasSize(rounds).isSorted();
    }

    @Test
    void shouldLeaveInOrderWhenGoodbyesAreExchanged() {
        start(3);
        Frame goodbye = Frames.numbered(1);
        goodbye.flags = Frame.ACKNOWLEDGE;
        for (int slot = 0; slot < 3; slot++) {
            for (int to = 0; to < 3; to++) {
                if (to != slot) {
                    fabric(slot).offer(ProcessId.of(to), LaneKind.CONTROL, goodbye);
                }
            }
        }
        boolean[] hasLeft = new boolean[3];
        for (int slot = 0; slot < 3; slot++) {
            int me = slot;
            pollUntil(() -> isHandedOverToAll(me) && received[me].frames.size() == 2, 0, 1, 2);
        }
        for (int slot = 0; slot < 3; slot++) {
            for (Received.Item item : received[slot].frames) {
                fabric(slot).depart(item.from());
            }
            fabric(slot).leave();
        }
        pollUntil(
                () -> {
                    boolean all = true;
                    for (int slot = 0; slot < 3; slot++) {
                        hasLeft[slot] |= fabric(slot).hasLeft();
                        all &= hasLeft[slot];
                    }
                    return all;
                },
                0,
                1,
                2);
        for (int slot = 0; slot < 3; slot++) {
            assertThat(received[slot].events).as("rank " + slot).isEmpty();
        }
    }

    private boolean isHandedOverToAll(int slot) {
        for (int to = 0; to < received.length; to++) {
            if (to != slot && !fabric(slot).isHandedOver(ProcessId.of(to))) {
                return false;
            }
        }
        return true;
    }

    @Test
    void shouldNameWhomItIsConnectedTo() {
        start(3);
        assertThat(fabric(0).connected()).isEmpty();
        offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1, 0, 1);

        assertThat(fabric(0).connected()).containsExactly(ONE);
        assertThat(fabric(1).connected()).containsExactly(ZERO);
        fabric(0).depart(ONE);
        assertThat(fabric(0).connected()).isEmpty();
    }

    /** A rank with a lock and a thread that sleeps when it has nothing to do. Sends back or keeps what it gets. */
    private final class SleepyRank extends Thread {
        private final ReentrantLock lock = new ReentrantLock();
        private final AtomicInteger kept = new AtomicInteger();
        private final int slot;
        private final boolean sendsBack;
        private final Received sink = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                if (sendsBack) {
                    byte[] payload = new byte[frame.payloadBytes];
                    frame.received.get(payload);
                    fabric(slot).offer(from, lane, Frames.numbered(frame.sequence, payload));
                } else {
                    kept.incrementAndGet();
                }
            }
        };
        private volatile boolean stop;

        SleepyRank(int slot, boolean sendsBack) {
            this.slot = slot;
            this.sendsBack = sendsBack;
        }

        @Override
        public void run() {
            while (!stop) {
                lock.lock();
                try {
                    while (fabric(slot).pollWithSeat(sink) > 0) {
                        // as long as there is something
                    }
                } finally {
                    lock.unlock();
                }
                fabric(slot).sleep(System.nanoTime() + TimeUnit.MINUTES.toNanos(10));
            }
        }

        void end() throws InterruptedException {
            stop = true;
            fabric(slot).wake();
            join();
        }
    }

    @Test
    void shouldWakeTheSleepingReceiverEachTime() throws InterruptedException {
        start(2);
        SleepyRank echo = new SleepyRank(1, true);
        echo.start();
        long start = System.nanoTime();
        int rounds = 300;
        for (int i = 0; i < rounds; i++) {
            assertThat(fabric(0).offer(ONE, i % 2 == 0 ? LaneKind.DATA : LaneKind.CONTROL, Frames.numbered(i)))
                    .isTrue();
            int expected = i + 1;
            pollUntil(() -> received[0].frames.size() == expected, 0);
        }
        long took = System.nanoTime() - start;
        echo.end();
        // A lost wake-up costs up to 50 ms; every second one lost would show here.
        assertThat(took).isLessThan(TimeUnit.SECONDS.toNanos(7));
    }

    @Test
    void shouldLetTheSleeperDoTheRestWhenAnotherThreadOffers() throws InterruptedException {
        // This thread never polls: the one that sleeps must take up connections that it did not open.
        int ranks = 6;
        start(ranks);
        SleepyRank sleeper = new SleepyRank(0, false);
        sleeper.start();
        SleepyRank[] echoes = new SleepyRank[ranks];
        for (int slot = 1; slot < ranks; slot++) {
            echoes[slot] = new SleepyRank(slot, true);
            echoes[slot].start();
        }
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int slot = 1; slot < ranks; slot++) {
            sleeper.lock.lock();
            try {
                fabric(0).offer(ProcessId.of(slot), LaneKind.DATA, Frames.numbered(slot));
            } finally {
                sleeper.lock.unlock();
            }
            while (sleeper.kept.get() < slot && System.nanoTime() < endNs) {
                Thread.onSpinWait();
            }
        }
        sleeper.end();
        for (int slot = 1; slot < ranks; slot++) {
            echoes[slot].end();
        }
        assertThat(sleeper.kept).hasValue(ranks - 1);
    }
}
