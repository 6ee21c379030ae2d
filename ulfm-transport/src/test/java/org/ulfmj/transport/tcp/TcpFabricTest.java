package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.session.LinkIdentity;

/** What only a medium with sockets must show: strangers, garbage, half frames, crossing dials. */
@Timeout(120)
class TcpFabricTest {
    /** Handshakes 500 ms, budget 3 s. */
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5));

    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);

    private final TcpWorld world = new TcpWorld(2, TIMING);
    private final Received[] received = {new Received(), new Received()};

    @AfterEach
    void close() {
        world.close();
    }

    private void poll() {
        for (int slot = 0; slot < 2; slot++) {
            world.fabric(slot).pollWithSeat(received[slot]);
        }
    }

    private void pollUntil(BooleanSupplier condition) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a minute has passed").isLessThan(endNs);
            poll();
        }
    }

    private void shouldStillWork() {
        int before = received[1].frames.size();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(before));
        pollUntil(() -> received[1].frames.size() > before);
        assertThat(received[0].events).isEmpty();
        assertThat(received[1].events).isEmpty();
    }

    /** Rank 1 played by hand, proven and adopted by rank 0. */
    private RawPeer provenPeer() throws IOException, HandshakeException {
        RawPeer peer = new RawPeer(world.fabric(0).port());
        assertThat(peer.shakeHands(
                                world.secret,
                                TcpWorld.OPTIONS_HASH,
                                TcpWorld.identity(1),
                                TcpWorld.identity(0),
                                this::poll)
                        .isAccepted())
                .isTrue();
        return peer;
    }

    private boolean isClosedByFabric(RawPeer peer) {
        ByteBuffer waste = ByteBuffer.allocate(1000);
        return peer.read(waste) < 0;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldCloseAConnectionThatTalksGarbage(long seed) throws IOException {
        try (RawPeer stranger = new RawPeer(world.fabric(0).port())) {
            byte[] garbage = Frames.bytes(1 + new Random(seed).nextInt(5_000), seed);
            // A length in range at first, so that the garbage gets further than the length check.
            garbage[0] = 100;
            if (garbage.length > 1) {
                garbage[1] = 0;
            }
            stranger.write(garbage);
            pollUntil(() -> isClosedByFabric(stranger));
        }
        shouldStillWork();
    }

    @Test
    void shouldCloseADialerThatDoesNotKnowTheSecret() throws IOException {
        try (RawPeer stranger = new RawPeer(world.fabric(0).port())) {
            JobSecret other = JobSecret.random();
            try {
                stranger.shakeHands(
                        other, TcpWorld.OPTIONS_HASH, TcpWorld.identity(1), TcpWorld.identity(0), this::poll);
                assertThat(false).as("answered a stranger").isTrue();
            } catch (HandshakeException | IOException expected) {
                pollUntil(() -> isClosedByFabric(stranger));
            }
        }
        shouldStillWork();
    }

    @Test
    void shouldTellAProvenDialerThatOptionsDiffer() throws IOException, HandshakeException {
        try (RawPeer peer = new RawPeer(world.fabric(0).port())) {
            String text = peer.shakeHands(world.secret, 0xbad, TcpWorld.identity(1), TcpWorld.identity(0), this::poll)
                    .text();
            assertThat(text).contains("b0e", "bad", "same ulfm.* options");
        }
        shouldStillWork();
    }

    @Test
    void shouldRefuseAProvenDialerThatWantsAnotherProcess() throws IOException, HandshakeException {
        try (RawPeer peer = new RawPeer(world.fabric(0).port())) {
            LinkIdentity somebody = new LinkIdentity(ZERO, 4711);
            assertThat(peer.shakeHands(world.secret, TcpWorld.OPTIONS_HASH, TcpWorld.identity(1), somebody, this::poll)
                            .isAccepted())
                    .isFalse();
            pollUntil(() -> isClosedByFabric(peer));
        }
        shouldStillWork();
    }

    @Test
    void shouldCloseTheOldestStrangerWhenThereAreTooMany() throws IOException {
        List<RawPeer> strangers = new ArrayList<>();
        for (int i = 0; i < Strangers.MAX + 5; i++) {
            strangers.add(new RawPeer(world.fabric(0).port()));
            poll();
        }
        pollUntil(() -> isClosedByFabric(strangers.get(4)));
        assertThat(world.fabric(0).strangers().count()).isLessThanOrEqualTo(Strangers.MAX);
        for (RawPeer stranger : strangers) {
            stranger.close();
        }
        shouldStillWork();
    }

    @Test
    void shouldCloseAStrangerThatSaysNothingForTheHandshakeTime() throws IOException {
        try (RawPeer stranger = new RawPeer(world.fabric(0).port())) {
            long start = System.nanoTime();
            pollUntil(() -> isClosedByFabric(stranger));
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TIMING.linkRtoNs() * 9 / 10);
        }
        assertThat(world.fabric(0).strangers().count()).isZero();
        shouldStillWork();
    }

    @Test
    void shouldNotDeliverHalfAFrame() throws IOException, HandshakeException {
        byte[] whole = RawPeer.envelope(1, 0, Frames.numbered(1, Frames.bytes(5_000, 1)));
        byte[] second = RawPeer.envelope(2, 0, Frames.numbered(2, Frames.bytes(5_000, 2)));
        try (RawPeer peer = provenPeer()) {
            peer.write(whole);
            peer.write(Arrays.copyOf(second, second.length / 2));
        }
        pollUntil(() -> !received[0].events.isEmpty());

        assertThat(received[0].events).containsExactly("broken 1");
        assertThat(received[0].sequences()).containsExactly(1);
    }

    @Test
    void shouldBreakWithAPeerWhoseFrameFailsItsChecksum() throws IOException, HandshakeException {
        byte[] bytes = RawPeer.envelope(1, 0, Frames.numbered(1, Frames.bytes(500, 1)));
        bytes[200] ^= 1;
        try (RawPeer peer = provenPeer()) {
            peer.write(bytes);
            pollUntil(() -> !received[0].events.isEmpty());
        }
        assertThat(received[0].events).containsExactly("broken 1");
        assertThat(received[0].frames).isEmpty();
    }

    @Test
    void shouldBreakWithAPeerThatAnnouncesTooMuch() throws IOException, HandshakeException {
        byte[] bytes = RawPeer.envelope(1, 0, Frames.numbered(1));
        bytes[Envelope.LENGTH_OFFSET + 3] = 0x7f;
        try (RawPeer peer = provenPeer()) {
            peer.write(bytes);
            pollUntil(() -> !received[0].events.isEmpty());
        }
        assertThat(received[0].events).containsExactly("broken 1");
    }

    @Test
    void shouldBreakWithAPeerThatLeavesAGapAndDropWhatComesTwice() throws IOException, HandshakeException {
        try (RawPeer peer = provenPeer()) {
            peer.write(RawPeer.envelope(1, 0, Frames.numbered(1)));
            peer.write(RawPeer.envelope(1, 0, Frames.numbered(1)));
            peer.write(RawPeer.envelope(2, 0, Frames.numbered(2)));
            peer.write(RawPeer.envelope(4, 0, Frames.numbered(4)));
            pollUntil(() -> !received[0].events.isEmpty());
        }
        assertThat(received[0].events).containsExactly("broken 1");
        assertThat(received[0].sequences()).containsExactly(1, 2);
    }

    @Test
    void shouldTellAMarkedRankThatCallsAgain() throws IOException, HandshakeException {
        world.fabric(0).abandon(ONE);
        world.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(1));
        pollUntil(() -> !received[1].events.isEmpty());

        assertThat(received[1].events).containsExactly("excluded 0");
        assertThat(received[0].frames).isEmpty();
    }

    private static final int PIECES = 6;
    private static final int PIECE_BYTES = 128 * 1024;

    /** Offers pieces of memory that rank 0 may send from as long as it is not taken back. */
    private byte[] offerFromMemory(ByteBuffer memory) {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1);
        byte[] content = Frames.bytes(memory.capacity(), 11);
        memory.put(content).clear();
        for (int piece = 0; piece < PIECES; piece++) {
            Frame frame = Frames.numbered(1 + piece);
            frame.isBorrowable = true;
            frame.flags = piece == PIECES - 1 ? Frame.ACKNOWLEDGE : 0;
            frame.payload(new BufferPayload(memory), (long) piece * PIECE_BYTES, PIECE_BYTES);
            assertThat(world.fabric(0).offer(ONE, LaneKind.DATA, frame)).isTrue();
        }
        assertThat(world.fabric(0).borrowsFor(ONE)).isTrue();
        return content;
    }

    private byte[] contentReceived() {
        ByteBuffer all = ByteBuffer.allocate(PIECES * PIECE_BYTES);
        for (Received.Item item : received[1].frames.subList(1, 1 + PIECES)) {
            all.put(item.payload());
        }
        return all.array();
    }

    @Test
    void shouldSendFromWhereAPayloadLiesUntilItHasArrived() {
        byte[] content = offerFromMemory(ByteBuffer.allocateDirect(PIECES * PIECE_BYTES));
        pollUntil(() -> !world.fabric(0).borrowsFor(ONE));

        assertThat(received[1].frames).hasSize(1 + PIECES);
        assertThat(contentReceived()).isEqualTo(content);
    }

    /** Nobody has read anything yet, so a piece is half-written. */
    @Test
    void shouldNotReadAPayloadThatWasGivenBack() {
        ByteBuffer memory = ByteBuffer.allocateDirect(PIECES * PIECE_BYTES);
        byte[] content = offerFromMemory(memory);
        world.fabric(0).giveBack(ONE);
        assertThat(world.fabric(0).borrowsFor(ONE)).isFalse();
        memory.put(new byte[memory.capacity()]);
        pollUntil(() -> received[1].frames.size() == 1 + PIECES);

        assertThat(contentReceived()).isEqualTo(content);
    }

    @Test
    void shouldGiveBackWhatWasOnItsWayToOneThatDied() {
        ByteBuffer memory = ByteBuffer.allocateDirect(PIECES * PIECE_BYTES);
        offerFromMemory(memory);
        world.kill(1);
        world.fabric(0).pollWithSeat(received[0]);
        world.fabric(0).giveBack(ONE);
        memory.put(new byte[memory.capacity()]);
        world.fabric(0).abandon(ONE);
        world.fabric(0).pollWithSeat(received[0]);

        assertThat(world.fabric(0).borrowsFor(ONE)).isFalse();
        assertThat(received[0].frames).isEmpty();
    }

    @Test
    void shouldReportAPeerThatCannotBeReachedForTheWholeBudget() {
        world.kill(1);
        long start = System.nanoTime();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        while (received[0].events.isEmpty()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
            world.fabric(0).sleep(world.fabric(0).nextDeadlineNs());
            world.fabric(0).pollWithSeat(received[0]);
        }
        assertThat(received[0].events).containsExactly("broken 1");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TIMING.linkBudgetNs() * 9 / 10);
    }

    /** A rank that is stopped accepts in its kernel only: it is reached when it goes on. */
    @Test
    void shouldWithdrawABreakOnceTheStoppedPeerGoesOn() {
        try (TcpWorld hasty = new TcpWorld(2, Timing.fromTimeout(TimeUnit.SECONDS.toNanos(1)))) {
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            hasty.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(7));
            while (received[0].events.isEmpty()) {
                assertThat(System.nanoTime()).isLessThan(endNs);
                hasty.fabric(0).sleep(hasty.fabric(0).nextDeadlineNs());
                hasty.fabric(0).pollWithSeat(received[0]);
            }
            assertThat(received[0].events).containsExactly("broken 1");
            while (received[1].frames.isEmpty() || received[0].events.size() < 2) {
                assertThat(System.nanoTime()).isLessThan(endNs);
                hasty.fabric(0).pollWithSeat(received[0]);
                hasty.fabric(1).pollWithSeat(received[1]);
            }
            assertThat(received[0].events).containsExactly("broken 1", "restored 1");
            assertThat(received[1].sequences()).containsExactly(7);
        }
    }

    @Test
    void shouldHandOverAndCountWhatTheDeadSentOnAConnectionWhoseAnswerIsUnread() {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!world.fabric(1).connected().iterator().hasNext()) {
            assertThat(System.nanoTime()).isLessThan(endNs);
            poll();
        }
        // Rank 1 was polled last, so its answer is unread.
        world.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(2));
        world.fabric(1).pollWithSeat(received[1]);
        world.kill(1);

        world.fabric(0).drain(ONE);
        int work = 0;
        while (received[0].events.isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(endNs);
            work += world.fabric(0).poll(received[0]);
        }
        assertThat(received[0].sequences()).containsExactly(2);
        assertThat(received[0].events).containsExactly("drained 1");
        assertThat(work).isEqualTo(2);
    }

    /** A thread that is kept from its core, or stopped, takes nothing for lost that its kernel has. */
    @Test
    void shouldDrainWhatTheKernelHasHoweverLateTheNextPollIs() {
        AtomicLong lateNs = new AtomicLong();
        Timing patient = Timing.fromTimeout(TimeUnit.MINUTES.toNanos(5));
        try (TcpWorld late = new TcpWorld(2, patient, () -> System.nanoTime() + lateNs.get())) {
            late.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(0));
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (received[0].frames.isEmpty()) {
                assertThat(System.nanoTime()).isLessThan(endNs);
                late.fabric(0).pollWithSeat(received[0]);
                late.fabric(1).pollWithSeat(received[1]);
            }
            for (int i = 1; i < 20; i++) {
                late.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(i, Frames.bytes(1_000, i)));
                late.fabric(1).pollWithSeat(received[1]);
            }

            late.fabric(0).drain(ONE);
            lateNs.set(TimeUnit.SECONDS.toNanos(1));
            late.fabric(0).poll(received[0]);
            assertThat(received[0].sequences())
                    .isEqualTo(IntStream.range(0, 20).boxed().toList());
            assertThat(received[0].events).containsExactly("drained 1");
        }
    }

    @Test
    void shouldLeaveDespiteASilentPeerOnceTheBudgetIsSpent() {
        shouldStillWork();
        world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(1));
        long start = System.nanoTime();
        world.fabric(0).leave();
        while (!world.fabric(0).hasLeft()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
            world.fabric(0).sleep(world.fabric(0).nextDeadlineNs());
            world.fabric(0).pollWithSeat(received[0]);
        }
        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo((TIMING.linkBudgetNs() + TIMING.linkRtoNs()) * 9 / 10);
    }

    @Test
    void shouldAcknowledgeWithoutBeingAskedWithinATimer() {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        assertThat(world.fabric(0).isHandedOver(ONE)).isFalse();
        long start = System.nanoTime();
        pollUntil(() -> world.fabric(0).isHandedOver(ONE));

        assertThat(received[1].frames).hasSize(1);
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldSettleDialsThatCrossWithoutLosingAFrame(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 25; round++) {
            try (TcpWorld crossing = new TcpWorld(2, TIMING)) {
                Received[] got = {new Received(), new Received()};
                int[] sent = {0, 0};
                for (int i = 0; i < 12 || got[0].frames.size() < sent[1] || got[1].frames.size() < sent[0]; i++) {
                    int slot = random.nextInt(2);
                    if (i < 12) {
                        LaneKind lane = LaneKind.values()[random.nextInt(2)];
                        crossing.fabric(slot)
                                .offer(ProcessId.of(1 - slot), lane, Frames.numbered(sent[slot]++, new byte[i]));
                    }
                    if (random.nextInt(3) > 0) {
                        slot = random.nextInt(2);
                        crossing.fabric(slot).pollWithSeat(got[slot]);
                    }
                }
                for (int slot = 0; slot < 2; slot++) {
                    assertThat(got[slot].events).as("seed " + seed).isEmpty();
                    assertThat(got[slot].sequences()).as("seed " + seed).doesNotHaveDuplicates();
                }
            }
        }
    }

    @Test
    void shouldWatchAChannelOfSomebodyElse() throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        ByteBuffer got = ByteBuffer.allocate(10);
        ChannelWatch watch = world.fabric(0).watch(pipe.source(), SelectionKey.OP_READ, () -> {
            try {
                pipe.source().read(got);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread writer = new Thread(() -> {
            try {
                pipe.sink().write(ByteBuffer.wrap(new byte[] {7}));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        writer.start();
        while (got.position() == 0) {
            world.fabric(0).sleep(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
            poll();
        }
        writer.join();
        assertThat(got.get(0)).isEqualTo((byte) 7);
        pipe.source().close();
        watch.onClosed();
        poll();
        pipe.sink().close();
    }

    @Test
    void shouldCarryAFrameWhosePayloadIsInPieces() {
        Frame frame = Frames.numbered(3, Frames.bytes(1_000, 9));
        frame.payloadOffset = 100;
        frame.payloadBytes = 50;
        world.fabric(0).offer(ONE, LaneKind.DATA, frame);
        pollUntil(() -> received[1].frames.size() == 1);

        byte[] expected = Arrays.copyOfRange(Frames.bytes(1_000, 9), 100, 150);
        assertThat(received[1].frames.get(0).payload()).isEqualTo(expected);
    }
}
