package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;

/** What every medium promises of frames and lanes between ranks that live. */
public abstract class TransportContract extends MediumTest {
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(30);

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
        pollUntil(() -> received(2).frames.size() == 600, 0, 1, 2);
        for (int polls = 0; polls < 100; polls++) {
            poll(2);
        }
        List<byte[]>[] got = newSent();
        for (Received.Item item : received(2).frames) {
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
                got.received().get(payload);
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
        pollUntil(() -> received(1).frames.size() == 4, 0, 1);

        for (LaneKind lane : LaneKind.values()) {
            assertThat(items(1, lane).get(0).payload()).isEmpty();
            assertThat(items(1, lane).get(1).payload()).isEqualTo(largest);
        }
    }

    @Test
    void shouldRefuseAFrameLargerThanTheLargest() {
        start(2);
        byte[] payload = new byte[Frame.MAX_PAYLOAD_BYTES + 1];
        for (LaneKind lane : LaneKind.values()) {
            assertThatThrownBy(() -> fabric(0).offer(ONE, lane, Frames.numbered(0, payload)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("payload of 262145 bytes, at most 262144");
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
        assertThat(taken).as("frames of 100 kB that are never read").isBetween(1, 160);
        assertThat(fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(0)))
                .as("control is never refused")
                .isTrue();

        int number = taken;
        pollUntil(() -> fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(number, payload)), 0, 1);
        pollUntil(() -> items(1, LaneKind.DATA).size() == number + 1, 0, 1);
        assertThat(items(1, LaneKind.CONTROL)).hasSize(1);
    }

    @Test
    void shouldNeitherWaitNorHoldUpControlWhileDataHasNoRoom() {
        start(2);
        byte[] payload = Frames.bytes(50_000, 7);
        int data = 0;
        while (fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(data, payload))) {
            data++;
        }
        int controls = 2_000;
        long start = System.nanoTime();
        for (int i = 0; i < controls; i++) {
            assertThat(fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(data, payload)))
                    .isFalse();
            assertThat(fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i, new byte[40])))
                    .isTrue();
        }
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
        int sent = data;
        pollUntil(() -> received(1).frames.size() == sent + controls, 0, 1);

        List<Received.Item> got = items(1, LaneKind.CONTROL);
        for (int i = 0; i < controls; i++) {
            assertThat(got.get(i).sequence()).isEqualTo(i);
        }
        assertThat(items(1, LaneKind.DATA)).hasSize(sent);
    }

    @Test
    void shouldLetControlOvertakeData() {
        start(2);
        byte[] payload = Frames.bytes(60_000, 5);
        int sent = 0;
        // Offers frames until the lane, and the buffers of the medium if it has any, are full.
        for (int refusals = 0; refusals < 3; refusals++) {
            while (fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(sent, payload))) {
                sent++;
            }
            if (received(1).frames.isEmpty()) {
                poll(0);
                poll(1);
            }
            poll(0);
        }
        fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(0));
        int total = sent + 1;
        pollUntil(() -> received(1).frames.size() == total, 0, 1);

        int at = 0;
        while (received(1).frames.get(at).lane() != LaneKind.CONTROL) {
            at++;
        }
        assertThat(at).as("frames handed over before the control frame").isLessThan(sent);
    }

    @Test
    void shouldDropFramesToTheUnknown() {
        start(2);
        assertThat(fabric(0).offer(ProcessId.of(17), LaneKind.DATA, Frames.numbered(1)))
                .isTrue();
        assertThat(fabric(0).offer(new ProcessId(1, 3), LaneKind.DATA, Frames.numbered(1)))
                .isTrue();
    }

    @Test
    protected void shouldAnswerFromWithinAFrame() {
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
                    return received(0).frames.size() >= rounds;
                },
                0);

        assertThat(received(0).sequences()).hasSize(rounds).isSorted();
    }

    @Test
    void shouldLeaveInOrderWhenGoodbyesAreExchanged() {
        start(3);
        Frame goodbye = Frames.numbered(1);
        goodbye.askForAcknowledgement();
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
            pollUntil(() -> isHandedOverToAll(me) && received(me).frames.size() == 2, 0, 1, 2);
        }
        for (int slot = 0; slot < 3; slot++) {
            for (Received.Item item : received(slot).frames) {
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
            assertThat(received(slot).events).as("rank " + slot).isEmpty();
        }
    }

    private boolean isHandedOverToAll(int slot) {
        for (int to = 0; to < ranks(); to++) {
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
        pollUntil(() -> received(1).frames.size() == 1, 0, 1);

        assertThat(fabric(0).connected()).containsExactly(ONE);
        assertThat(fabric(1).connected()).containsExactly(ZERO);
        fabric(0).depart(ONE);
        assertThat(fabric(0).connected()).isEmpty();
    }

    /**
     * A sink that checks that frames come in order and that every byte follows from the number of its frame, so that a
     * frame with bytes of two frames is noticed.
     */
    private static final class Checking extends Received {
        private int next;
        private String wrong;

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            if (wrong == null && (frame.sequence != next || frame.payloadBytes() != lengthOf(next))) {
                wrong = "number " + frame.sequence + " of " + frame.payloadBytes() + " bytes instead of " + next;
            }
            for (int i = 0; wrong == null && i < frame.payloadBytes(); i++) {
                if (frame.received().get() != byteOf(next, i)) {
                    wrong = "byte " + i + " of " + frame;
                }
            }
            next++;
        }

        static int lengthOf(int number) {
            return number % 50 == 49 ? 20_000 + number % 1000 : number * 31 % 400;
        }

        static byte byteOf(int number, int position) {
            return (byte) (number * 131 + position * 7);
        }
    }

    @Test
    void shouldNeverTearAFrameBetweenTwoThreads() throws InterruptedException {
        start(2);
        int frames = 20_000;
        Thread producer = new Thread(() -> {
            Received waste = new Received();
            for (int number = 0; number < frames; ) {
                byte[] payload = new byte[Checking.lengthOf(number)];
                for (int i = 0; i < payload.length; i++) {
                    payload[i] = Checking.byteOf(number, i);
                }
                if (fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(number, payload))) {
                    number++;
                } else {
                    fabric(0).pollWithSeat(waste);
                    Thread.yield();
                }
            }
            while (!Thread.interrupted()) {
                fabric(0).pollWithSeat(waste);
                Thread.yield();
            }
        });
        producer.start();
        Checking sink = new Checking();
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (sink.next < frames && sink.wrong == null && System.nanoTime() < endNs) {
            if (fabric(1).pollWithSeat(sink) == 0) {
                Thread.yield();
            }
        }
        producer.interrupt();
        producer.join();

        assertThat(sink.wrong).isNull();
        assertThat(sink.next).isEqualTo(frames);
    }

    /**
     * A rank with a lock and a thread that sleeps in the fabric when it has nothing to do. It sends back the frames
     * that it gets, or only counts them.
     */
    private final class SleepyRank extends Thread {
        private final ReentrantLock lock = new ReentrantLock();
        private final AtomicInteger kept = new AtomicInteger();
        private final int slot;
        private final boolean sendsBack;
        private final Received sink = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                if (sendsBack) {
                    byte[] payload = new byte[frame.payloadBytes()];
                    frame.received().get(payload);
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
    protected void shouldWakeTheSleepingReceiverEachTime() throws InterruptedException {
        start(2);
        SleepyRank echo = new SleepyRank(1, true);
        echo.start();
        ParkedEcho parked = new ParkedEcho();
        parked.start();
        int rounds = 200;
        int slow = 0;
        int slowOfParked = 0;
        for (int i = 0; i < rounds; i++) {
            assertThat(fabric(0).offer(ONE, i % 2 == 0 ? LaneKind.DATA : LaneKind.CONTROL, Frames.numbered(i)))
                    .isTrue();
            int expected = i + 1;
            long beginNs = System.nanoTime();
            pollUntil(() -> received(0).frames.size() == expected, 0);
            slow += System.nanoTime() - beginNs > SLOW_NS ? 1 : 0;
            beginNs = System.nanoTime();
            parked.call();
            slowOfParked += System.nanoTime() - beginNs > SLOW_NS ? 1 : 0;
        }
        echo.end();
        parked.end();
        // A lost wake-up costs up to 50 ms; if every fourth were lost, this would show it. A wait for a core makes a
        // round of the parked thread just as slow.
        assertThat(slow - slowOfParked)
                .as("rounds that took as long as a sleep, beside " + slowOfParked + " of a parked thread")
                .isLessThan(rounds / 4);
    }

    /**
     * A thread that parks until it is called and then answers. It shows how many rounds are slow only because this
     * machine is busy.
     */
    private static final class ParkedEcho extends Thread {
        private volatile int called;
        private volatile int answered;
        private volatile boolean stop;

        @Override
        public void run() {
            while (!stop) {
                if (answered == called) {
                    LockSupport.park(this);
                } else {
                    answered = called;
                }
            }
        }

        void call() {
            int number = called + 1;
            called = number;
            LockSupport.unpark(this);
            while (answered != number) {
                Thread.onSpinWait();
            }
        }

        void end() throws InterruptedException {
            stop = true;
            LockSupport.unpark(this);
            join();
        }
    }

    @Test
    void shouldLetTheSleeperDoTheRestWhenAnotherThreadOffers() throws InterruptedException {
        // The test's thread never polls: the sleeping thread must take over connections that it did not open.
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
