package org.ulfmj.transport.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.host.HostProcess;

class LocalFabricTest {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);

    /** The limit of sleeps that another thread has to end, or that must not begin. */
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    private final LocalHub hub = new LocalHub(2);
    private final LocalFabric zero = hub.fabric(0);
    private final LocalFabric one = hub.fabric(1);
    private final Received received = new Received();

    @Test
    void shouldDeliverWhatWasCommittedBeforeTheKillAndNothingLater() {
        zero.offer(ONE, LaneKind.DATA, Frames.numbered(1));
        hub.kill(0);
        zero.offer(ONE, LaneKind.DATA, Frames.numbered(2));
        one.drain(ZERO);

        one.poll(received);

        assertThat(received.sequences()).containsExactly(1);
        assertThat(received.events).containsExactly("drained 0");
    }

    @Test
    void shouldHandNothingMoreToTheKilled() {
        one.offer(ZERO, LaneKind.CONTROL, Frames.numbered(1));
        hub.kill(0);

        assertThat(zero.poll(received)).isZero();
        assertThat(received.frames).isEmpty();
    }

    @Test
    void shouldReportADrainOfAPeerThatNeverSent() {
        one.drain(ZERO);
        one.poll(received);

        assertThat(received.events).containsExactly("drained 0");
    }

    @Test
    void shouldTellTheAbandoned() {
        one.abandon(ZERO);
        zero.poll(received);

        assertThat(received.events).containsExactly("excluded 1");
    }

    @Test
    void shouldTalkToAProcessOfALaterSlotOnceItIsAdmittedAndTellOfItsFirstFrameOnce() {
        List<String> greeted = new ArrayList<>();
        LocalHub growing = new LocalHub(2, (by, process) -> greeted.add(by + " calls " + process.id()));
        ProcessId third = ProcessId.of(2);
        LocalFabric founder = growing.fabric(0);
        LocalFabric joiner = growing.fabric(third);
        joiner.offer(ZERO, LaneKind.CONTROL, Frames.numbered(1));
        founder.poll(received);
        assertThat(received.frames).isEmpty();
        MemberRecord record = new MemberRecord(third, 7, 0, "", 0, "", HostProcess.UNKNOWN);
        founder.admit(record);
        founder.admit(record);
        founder.poll(received);
        assertThat(received.sequences()).containsExactly(1);
        assertThat(greeted).as("it may never be sent anything").isEmpty();
        founder.offer(third, LaneKind.CONTROL, Frames.numbered(2));
        Received atJoiner = new Received();
        joiner.poll(atJoiner);
        assertThat(atJoiner.sequences()).containsExactly(2);
        assertThat(greeted).containsExactly("0 calls 2");
        founder.abandon(third);
        founder.admit(record);
        founder.offer(third, LaneKind.CONTROL, Frames.numbered(3));
        assertThat(greeted).as("one that is marked failed is not let in again").hasSize(1);
    }

    @Test
    void shouldHearAndAnswerAStrangerWhileItWaitsToBeLetIn() {
        LocalHub growing = new LocalHub(1, (by, process) -> {});
        LocalFabric joiner = growing.fabric(ProcessId.of(1));
        LocalFabric stranger = growing.fabric(ProcessId.of(2));
        joiner.takeStrangers(true);
        stranger.admit(new MemberRecord(ProcessId.of(1), 7, 0, "", 0, "", HostProcess.UNKNOWN));
        stranger.offer(ProcessId.of(1), LaneKind.CONTROL, Frames.numbered(1));
        joiner.poll(received);
        assertThat(received.sequences()).containsExactly(1);
        joiner.offer(ProcessId.of(2), LaneKind.CONTROL, Frames.numbered(2));
        joiner.takeStrangers(false);
        joiner.admit(new MemberRecord(ProcessId.of(2), 8, 0, "", 0, "", HostProcess.UNKNOWN));
        joiner.offer(ProcessId.of(2), LaneKind.CONTROL, Frames.numbered(3));
        stranger.admit(new MemberRecord(ProcessId.of(1), 7, 0, "", 0, "", HostProcess.UNKNOWN));
        Received atStranger = new Received();
        stranger.poll(atStranger);
        assertThat(atStranger.sequences()).containsExactly(2, 3);
    }

    @Test
    void shouldRefuseALaterSlotInAWorldThatDoesNotGrow() {
        MemberRecord record = new MemberRecord(ProcessId.of(2), 7, 0, "", 0, "", HostProcess.UNKNOWN);
        assertThatThrownBy(() -> zero.admit(record)).hasMessage("slot 2 must be below 2");
    }

    @Test
    void shouldWakeFromALongSleepWhenAFrameComes() throws InterruptedException {
        one.doorbell().bound(LONG_NS);
        CountDownLatch done = new CountDownLatch(2_000);
        Thread receiver = new Thread(() -> {
            while (done.getCount() > 0) {
                one.sleep(System.nanoTime() + 2 * LONG_NS);
                for (int left = one.poll(received); left > 0; left--) {
                    done.countDown();
                }
            }
        });
        receiver.setDaemon(true);
        receiver.start();
        Frame frame = Frames.numbered(1);
        while (done.getCount() > 0) {
            long before = done.getCount();
            long beginNs = System.nanoTime();
            assertThat(zero.offer(ONE, LaneKind.CONTROL, frame)).isTrue();
            while (done.getCount() == before) {
                assertThat(System.nanoTime() - beginNs).as("a lost wake-up").isLessThan(LONG_NS);
                Thread.yield();
            }
        }
        receiver.join();
    }

    @Test
    void shouldNotSleepWhenItWasWokenBefore() {
        one.doorbell().bound(LONG_NS);
        for (int i = 0; i < 100; i++) {
            one.wake();
            long beginNs = System.nanoTime();
            one.sleep(beginNs + 2 * LONG_NS);
            assertThat(System.nanoTime() - beginNs).as("a sleep").isLessThan(LONG_NS);
        }
    }

    @Test
    void shouldKeepItsMemoryWithinTheBudgetWhateverSizesGoThrough() {
        int full = 0;
        byte[] payload = Frames.bytes(Frame.MAX_PAYLOAD_BYTES, 1);
        while (zero.offer(ONE, LaneKind.DATA, Frames.numbered(full, payload))) {
            full++;
        }
        assertThat(full).isEqualTo((int) (LocalLane.MAX_BYTES / Frame.MAX_PAYLOAD_BYTES));
        while (one.poll(received) > 0) {
            // until nothing is left
        }
        int small = 0;
        while (zero.offer(ONE, LaneKind.DATA, Frames.numbered(small, new byte[1]))) {
            small++;
        }
        assertThat(small).isEqualTo(LocalLane.MAX_RECORDS);
    }
}
