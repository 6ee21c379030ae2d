package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;

/** Lanes whose frames went by TCP because shared memory had no room, and that come back once there is room. */
@Timeout(120)
class ShmComingBackTest {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);
    private static final int CONTROL_LANE_BYTES = 16 * 1024;
    private static final int DATA_LANE_BYTES = 32 * 1024;

    private final Received atZero = new Received();
    private final Received atOne = new Received();
    /** By how much each poll advances the clock while it is stopped. */
    private static final long POLL_NS = 100_000;

    private final AtomicLong skippedNs = new AtomicLong();
    /** The time at which the clock was stopped, in nanoseconds; 0 while it runs. */
    private volatile long stoppedNs;

    private final ShmWorld world = new ShmWorld(2, 1 << 30, this::nowNs);

    private long nowNs() {
        return (stoppedNs == 0 ? System.nanoTime() : stoppedNs) + skippedNs.get();
    }

    /** From now on only polls and {@link #pauseAfterRefusal} advance the clock, however long they really take. */
    private void stopTheClock() {
        stoppedNs = System.nanoTime();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void poll() {
        skippedNs.addAndGet(stoppedNs == 0 ? 0 : POLL_NS);
        world.fabric(0).pollWithSeat(atZero);
        world.fabric(1).pollWithSeat(atOne);
    }

    private void pollUntilReceived(int frames) {
        Polling.until(() -> atOne.frames.size() >= frames, this::poll);
    }

    private void pollUntilDelivered(LaneKind kind) {
        Polling.until(() -> world.tcp[0].hasDelivered(ONE, kind), this::poll);
    }

    private void pauseAfterRefusal() {
        skippedNs.addAndGet(OutboundLanes.REFUSAL_NS);
    }

    private boolean offer(LaneKind kind, int number) {
        return world.fabric(0).offer(ONE, kind, Frames.numbered(number));
    }

    private boolean isDataByTcp() {
        return world.fabric(0).pieceBytes(ONE) != Fabric.PIECE_BYTES;
    }

    @Test
    void shouldComeBackWithItsNextFrameWhenThereIsRoom() {
        world.fill();
        long full = world.files[0].reservedBytes();
        assertThat(offer(LaneKind.DATA, 0)).isTrue();
        assertThat(offer(LaneKind.CONTROL, 1)).isTrue();
        assertThat(isDataByTcp()).isTrue();
        pollUntilDelivered(LaneKind.DATA);
        pollUntilDelivered(LaneKind.CONTROL);
        world.makeRoom();
        pauseAfterRefusal();

        assertThat(offer(LaneKind.DATA, 2)).isTrue();
        assertThat(offer(LaneKind.CONTROL, 3)).isTrue();

        assertThat(isDataByTcp()).isFalse();
        assertThat(world.files[0].reservedBytes() - full).isEqualTo(CONTROL_LANE_BYTES + DATA_LANE_BYTES);
        world.fabric(1).poll(atOne);
        assertThat(atOne.sequences().subList(0, 2)).containsExactlyInAnyOrder(0, 1);
        assertThat(atOne.sequences().subList(2, 4))
                .as("read without the link: control lanes first")
                .containsExactly(3, 2);
        assertThat(world.warnings).hasSize(1);
    }

    @Test
    void shouldNotOvertakeWhatIsOnItsWayByTcp() {
        world.fill();
        assertThat(offer(LaneKind.DATA, 0)).isTrue();
        world.makeRoom();
        pauseAfterRefusal();

        assertThat(offer(LaneKind.DATA, 1)).as("the first may be anywhere").isFalse();
        assertThat(offer(LaneKind.CONTROL, 10)).as("control is never refused").isTrue();
        world.fabric(1).poll(atOne);
        assertThat(atOne.sequences()).doesNotContain(1);

        pollUntilDelivered(LaneKind.DATA);
        assertThat(offer(LaneKind.DATA, 1)).isTrue();
        pollUntilReceived(3);
        assertThat(atOne.frames)
                .filteredOn(item -> item.lane() == LaneKind.DATA)
                .extracting(Received.Item::sequence)
                .containsExactly(0, 1);
    }

    /** A lane does not come back while frames wait on a broken connection, which may be restored later. */
    @Test
    void shouldNotComeBackBeforeALostConnectionHasDelivered() {
        world.fill();
        assertThat(offer(LaneKind.DATA, 0)).isTrue();
        pollUntilDelivered(LaneKind.DATA);
        offer(LaneKind.DATA, 1);
        world.tcp[1].close();
        Polling.until(() -> atZero.events.contains("broken 1"), () -> {
            offer(LaneKind.DATA, 2);
            // The link tries to connect again until its whole budget is spent, so the clock is advanced.
            skippedNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            world.fabric(0).pollWithSeat(atZero);
        });
        world.makeRoom();
        pauseAfterRefusal();

        assertThat(world.fabric(0).isHandedOver(ONE))
                .as("nothing is waited for")
                .isTrue();
        assertThat(offer(LaneKind.DATA, 3)).isFalse();
        assertThat(isDataByTcp()).isTrue();
    }

    @Test
    void shouldAskSeldomHoweverManyFramesAreSent() {
        stopTheClock();
        world.fill();
        offer(LaneKind.DATA, 0);
        pollUntilDelivered(LaneKind.DATA);
        world.makeRoom();
        offer(LaneKind.DATA, 1);
        assertThat(isDataByTcp()).as("a moment after a refusal").isTrue();
        world.fill();
        pauseAfterRefusal();
        pollUntilDelivered(LaneKind.DATA);
        offer(LaneKind.DATA, 2);
        pollUntilDelivered(LaneKind.DATA);
        world.makeRoom();
        offer(LaneKind.DATA, 3);
        assertThat(isDataByTcp()).as("a moment after another").isTrue();

        pauseAfterRefusal();
        pollUntilDelivered(LaneKind.DATA);
        offer(LaneKind.DATA, 4);
        assertThat(isDataByTcp()).isFalse();
        pollUntilReceived(5);
        assertThat(atOne.sequences()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldTellTheExcludedOnTheWayThatTheLaneHasThen() {
        world.fill();
        offer(LaneKind.CONTROL, 0);
        pollUntilDelivered(LaneKind.CONTROL);
        world.makeRoom();
        pauseAfterRefusal();

        world.fabric(0).abandon(ONE);
        Polling.until(() -> atOne.events.contains("excluded 0"), this::poll);
    }

    /**
     * In a continuous stream over both lanes the frames of each lane stay in their order when room comes back in the
     * middle.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldKeepTheOrderOfAStream(long seed) {
        Random random = new Random(seed);
        int frames = 3_000;
        int roomAt = random.nextInt(frames / 2);
        world.fill();
        List<LaneKind> lanes = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            if (i == roomAt) {
                world.makeRoom();
                pauseAfterRefusal();
            }
            LaneKind kind = random.nextInt(4) == 0 ? LaneKind.CONTROL : LaneKind.DATA;
            Frame frame = Frames.numbered(i, Frames.bytes(random.nextInt(20) == 0 ? 30_000 : 40, i));
            lanes.add(kind);
            Polling.until(() -> world.fabric(0).offer(ONE, kind, frame), this::poll);
            if (random.nextInt(8) == 0) {
                world.fabric(1).poll(atOne);
            }
        }
        pollUntilReceived(frames);

        assertThat(isDataByTcp()).as("seed " + seed).isFalse();
        for (LaneKind kind : LaneKind.values()) {
            List<Integer> got = atOne.frames.stream()
                    .filter(item -> item.lane() == kind)
                    .map(Received.Item::sequence)
                    .toList();
            assertThat(got).as("seed " + seed).isSorted().doesNotHaveDuplicates();
        }
        assertThat(atOne.frames).hasSize(frames);
        for (Received.Item item : atOne.frames) {
            assertThat(lanes.get(item.sequence())).isEqualTo(item.lane());
        }
    }

    /** Where shared memory is required, every send that finds no room is an error, and not only the first one. */
    @Test
    void shouldSendNothingByTcpWhereThatIsAnError() {
        world.refuseComplaints();
        world.fill();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> offer(LaneKind.DATA, 0)).hasMessageContaining("uses TCP to rank 1");
            assertThatThrownBy(() -> offer(LaneKind.CONTROL, 0)).hasMessageContaining("uses TCP to rank 1");
        }
        world.makeRoom();
        assertThat(offer(LaneKind.DATA, 1)).isTrue();
        pollUntilReceived(1);

        assertThat(atOne.sequences()).containsExactly(1);
        assertThat(world.tcp[0].connected()).isEmpty();
        assertThat(world.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(2)))
                .isTrue();
    }

    @Test
    void shouldReadTheLinkNoMoreThanBeforeOnceDataHasComeBack() {
        world.fill();
        offer(LaneKind.DATA, 0);
        pollUntilDelivered(LaneKind.DATA);
        world.makeRoom();
        pauseAfterRefusal();
        offer(LaneKind.DATA, 1);
        pollUntilReceived(2);
        Polling.until(() -> !world.tcp[1].hasDirectWork(), () -> world.fabric(1).poll(atOne));

        world.fabric(1).attend(ZERO);

        assertThat(world.tcp[1].hasDirectWork()).isFalse();
        assertThat(TimeUnit.NANOSECONDS.toMillis(OutboundLanes.REFUSAL_NS)).isEqualTo(250);
    }
}
