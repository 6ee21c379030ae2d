package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.seat.ChannelWatch;

/**
 * Tests of a medium with sockets alone, among them: peers that cannot be reached, late reads, crossing dials, a leaving
 * rank whose peer is silent.
 */
@Timeout(120)
class TcpFabricTest extends TcpPair {
    @Test
    void shouldTellAMarkedRankThatCallsAgain() {
        world.fabric(0).abandon(ONE);
        world.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(1));
        pollUntil(() -> !received[1].events.isEmpty());

        assertThat(received[1].events).containsExactly("excluded 0");
        assertThat(received[0].frames).isEmpty();
    }

    @Test
    void shouldReportAPeerThatCannotBeReachedForTheWholeBudget() {
        world.kill(1);
        long start = System.nanoTime();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        Polling.until(() -> !received[0].events.isEmpty(), () -> sleepAndPoll(world.fabric(0)));
        assertThat(received[0].events).containsExactly("broken 1");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TIMING.linkBudgetNs() * 9 / 10);
    }

    private void sleepAndPoll(TcpFabric fabric) {
        fabric.sleep(fabric.nextDeadlineNs());
        fabric.pollWithSeat(received[0]);
    }

    private void poll(TcpWorld other) {
        for (int slot = 0; slot < 2; slot++) {
            other.fabric(slot).pollWithSeat(received[slot]);
        }
    }

    /**
     * A stopped rank accepts connections in its kernel only, so its peer reports a broken link, and a restored one once
     * the rank goes on.
     */
    @Test
    void shouldWithdrawABreakOnceTheStoppedPeerGoesOn() {
        try (TcpWorld hasty = new TcpWorld(2, Timing.fromTimeout(TimeUnit.SECONDS.toNanos(1)), clock)) {
            hasty.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(7));
            Polling.until(() -> !received[0].events.isEmpty(), () -> sleepAndPoll(hasty.fabric(0)));
            assertThat(received[0].events).containsExactly("broken 1");
            Polling.until(() -> !received[1].frames.isEmpty() && received[0].events.size() >= 2, () -> poll(hasty));
            assertThat(received[0].events).containsExactly("broken 1", "restored 1");
            assertThat(received[1].sequences()).containsExactly(7);
        }
    }

    @Test
    void shouldHandOverAndCountWhatTheDeadSentOnAConnectionWhoseAnswerIsUnread() {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        pollUntil(() -> world.fabric(1).connected().iterator().hasNext());
        // Rank 1 was polled last, so rank 0 has not read its answer yet.
        world.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(2));
        world.fabric(1).pollWithSeat(received[1]);
        world.kill(1);

        world.fabric(0).drain(ONE);
        int[] work = new int[1];
        Polling.until(
                () -> !received[0].events.isEmpty(),
                () -> work[0] += world.fabric(0).poll(received[0]));
        assertThat(received[0].sequences()).containsExactly(2);
        assertThat(received[0].events).containsExactly("drained 1");
        assertThat(work[0]).isEqualTo(2);
    }

    /** A rank that was stopped, or got no core, still reads in a drain all that its kernel has received. */
    @Test
    void shouldDrainWhatTheKernelHasHoweverLateTheNextPollIs() {
        AtomicLong lateNs = new AtomicLong();
        Timing patient = Timing.fromTimeout(TimeUnit.MINUTES.toNanos(5));
        try (TcpWorld late = new TcpWorld(2, patient, () -> System.nanoTime() + lateNs.get())) {
            late.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(0));
            Polling.until(() -> !received[0].frames.isEmpty(), () -> poll(late));
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
        Polling.until(() -> world.fabric(0).hasLeft(), () -> sleepAndPoll(world.fabric(0)));
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TIMING.linkBudgetNs() * 9 / 10);
    }

    @Test
    void shouldAcknowledgeWithoutBeingAskedWithinATimer() {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        assertThat(world.fabric(0).isHandedOver(ONE)).isFalse();
        long start = clock.getAsLong();
        pollUntil(() -> world.fabric(0).isHandedOver(ONE));

        assertThat(received[1].frames).hasSize(1);
        assertThat(clock.getAsLong() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldSettleDialsThatCrossWithoutLosingAFrame(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 25; round++) {
            try (TcpWorld crossing = new TcpWorld(2, TIMING, clock)) {
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
    void shouldWatchAChannelOfAnotherOwner() throws IOException, InterruptedException {
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
        frame.payload(frame.payload(), 100, 50);
        world.fabric(0).offer(ONE, LaneKind.DATA, frame);
        pollUntil(() -> received[1].frames.size() == 1);

        byte[] expected = Arrays.copyOfRange(Frames.bytes(1_000, 9), 100, 150);
        assertThat(received[1].frames.get(0).payload()).isEqualTo(expected);
    }
}
