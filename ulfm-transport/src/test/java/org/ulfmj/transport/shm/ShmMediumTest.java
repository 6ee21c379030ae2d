package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.process.ProcessFabric;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;

/** Tests of shared memory alone. The contracts of media test what it has in common with other media. */
@Timeout(60)
class ShmMediumTest {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);
    /** Room for mailboxes and nothing else. */
    private static final long TINY_BYTES = 1_700;

    private final Received atZero = new Received();
    private final Received atOne = new Received();
    private ShmWorld world;

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    private ShmWorld start(int ranks, long maxBytes) {
        world = new ShmWorld(ranks, maxBytes);
        return world;
    }

    private void pollUntilReceived(int atOneFrames) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (atOne.frames.size() < atOneFrames && System.nanoTime() < endNs) {
            world.fabric(0).pollWithSeat(atZero);
            world.fabric(1).pollWithSeat(atOne);
        }
        assertThat(atOne.sequences()).hasSize(atOneFrames);
    }

    @Test
    void shouldNeedNoConnectionAndNoPollOfTheSender() {
        start(2, 1 << 30);
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(1));
        world.fabric(1).poll(atOne);

        assertThat(atOne.frames).extracting(Received.Item::lane).containsExactly(LaneKind.CONTROL, LaneKind.DATA);
        assertThat(world.tcp[0].connected()).isEmpty();
        assertThat(world.warnings).isEmpty();
    }

    @Test
    void shouldMakeTheControlLaneBeforeItIsNeeded() {
        start(2, 1 << 30);
        long before = world.files[0].reservedBytes();
        world.fabric(0).prepare(ONE);
        world.fabric(0).prepare(ONE);
        long prepared = world.files[0].reservedBytes();
        assertThat(prepared).isGreaterThan(before);
        world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(0));
        pollUntilReceived(1);
        assertThat(world.files[0].reservedBytes()).isEqualTo(prepared);
    }

    @Test
    void shouldCallALatecomerByTcpAndUseSharedMemoryThen() throws IOException {
        start(2, 1 << 30).fabric(0).expectLatecomers();
        LinkIdentity identity = new LinkIdentity(ProcessId.of(5), 77);
        TcpFabric port = world.comeLate(identity);
        MemberRecord late = ShmWorld.recordOf(identity, port.port());
        world.fabric(0).admit(late);
        world.fabric(0).prepare(identity.id());
        world.fabric(0).offer(identity.id(), LaneKind.CONTROL, Frames.numbered(0));
        try (ProcessFabric five = world.setUp(identity, port, List.of(world.record(0), late))) {
            Received atFive = new Received();
            Polling.until(
                    () -> !atFive.frames.isEmpty()
                            && world.fabric(0).pieceBytes(identity.id())
                                    == world.fabric(0).pieceBytes(ONE),
                    () -> {
                        world.fabric(0).offer(identity.id(), LaneKind.DATA, Frames.numbered(1));
                        world.fabric(0).pollWithSeat(atZero);
                        five.pollWithSeat(atFive);
                    });
            assertThat(atFive.frames.get(0).lane()).isEqualTo(LaneKind.CONTROL);
        }
        assertThat(world.warnings).isEmpty();
    }

    @Test
    void shouldUseTcpAndSaySoOnceWhereThereIsNoRoom() {
        start(3, TINY_BYTES);
        for (int i = 0; i < 100; i++) {
            world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, Frames.bytes(1_000, i)));
            world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i));
        }
        world.fabric(0).offer(ProcessId.of(2), LaneKind.DATA, Frames.numbered(0));
        pollUntilReceived(200);

        assertThat(world.warnings).hasSize(1);
        assertThat(world.warnings.get(0)).contains("rank 0 uses TCP to rank 1").contains("ulfm.shm.max");
        assertThat(world.fabric(0).connected()).containsExactly(ONE, ProcessId.of(2));
        for (Received.Item item : atOne.frames) {
            if (item.lane() == LaneKind.DATA) {
                assertThat(item.payload()).isEqualTo(Frames.bytes(1_000, item.sequence()));
            }
        }
    }

    /**
     * A rank that sends to a dead peer, before it knows of the death, does not warn that shared memory does not reach
     * the peer.
     */
    @Test
    void shouldNotComplainOfTheWayToAPeerThatHasEnded() throws IOException {
        start(2, 1 << 30);
        world.kill(0);
        try (Stream<Path> files = Files.list(world.directory.path())) {
            for (Path file : files.filter(ShmMediumTest::isMailboxOfZero).toList()) {
                Files.delete(file);
            }
        }

        assertThat(world.fabric(1).offer(ZERO, LaneKind.CONTROL, Frames.numbered(0)))
                .isTrue();
        assertThat(world.warnings).isEmpty();
    }

    private static boolean isMailboxOfZero(Path file) {
        return file.getFileName().toString().startsWith("0.0-box-");
    }

    @Test
    void shouldDrainBothMediaOfADeadPeer() {
        start(2, TINY_BYTES + 17 * 1024);
        world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(0));
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
        assertThat(world.warnings).as("the data lane found no room").hasSize(1);
        pollUntilReceived(2);
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(2));
        world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(3));
        world.kill(0);
        world.fabric(1).drain(ZERO);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (atOne.events.isEmpty() && System.nanoTime() < endNs) {
            world.fabric(1).pollWithSeat(atOne);
        }

        assertThat(atOne.events).containsExactly("drained 0");
        assertThat(atOne.sequences()).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    /** A rank that was stopped, or got no core, in the middle of a drain still reads everything to its end. */
    @Test
    void shouldDrainLanesToTheirEndHoweverMuchTimePassesMeanwhile() {
        AtomicLong nowNs = new AtomicLong();
        world = new ShmWorld(2, 1 << 30, () -> nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(40)));
        for (int i = 0; i < 100; i++) {
            world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i));
            world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(100 + i, Frames.bytes(1_000, i)));
        }
        world.fabric(1).drain(ZERO);
        world.fabric(1).poll(atOne);
        assertThat(atOne.events).containsExactly("drained 0");

        assertThat(atOne.sequences()).isEqualTo(IntStream.range(0, 200).boxed().toList());
    }

    /** A peer that was stopped, marked failed and continued still writes, because it does not know yet. */
    @Test
    void shouldNotReadWhatTheExcludedStillWrites() {
        start(3, 1 << 30);
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntilReceived(1);
        world.fabric(1).abandon(ZERO);
        for (int i = 1; i < 2_000; i++) {
            world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, new byte[1_000]));
            world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i));
            world.fabric(1).pollWithSeat(atOne);
        }

        assertThat(atOne.sequences()).containsExactly(0);
        assertThat(atOne.events).isEmpty();
        world.fabric(0).pollWithSeat(atZero);
        assertThat(atZero.events).containsExactly("excluded 1");
        world.fabric(2).offer(ONE, LaneKind.DATA, Frames.numbered(7));
        pollUntilReceived(2);
    }

    /**
     * A lane that a peer first makes after it was marked failed is not opened, just as its earlier lanes are not read.
     */
    @Test
    void shouldNotOpenWhatTheExcludedAnnounces() {
        start(2, 1 << 30);
        world.fabric(1).abandon(ZERO);
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        for (int i = 0; i < 10; i++) {
            world.fabric(1).pollWithSeat(atOne);
        }
        world.fabric(0).pollWithSeat(atZero);

        assertThat(atOne.frames).isEmpty();
        assertThat(atZero.events).containsExactly("excluded 1");
    }

    @Test
    void shouldReportABrokenLaneAndGoOn() throws IOException {
        start(3, 1 << 30);
        ShmSegment garbage = world.files[0].create(ONE, 32_000);
        ByteBuffer memory = garbage.memory();
        for (int at = LaneLayout.RECORDS_AT; at < 1_000; at++) {
            memory.put(at, (byte) 0x5a);
        }
        mailboxOfOne(0).announce(ZERO, LaneKind.DATA, garbage.id());
        world.fabric(2).offer(ONE, LaneKind.DATA, Frames.numbered(7));
        pollUntilReceived(1);

        assertThat(atOne.events).containsExactly("broken 0");
        assertThat(atOne.frames.get(0).from()).isEqualTo(ProcessId.of(2));
    }

    /** A mailbox entry in the place of one process, which names a file that another process made, is not trusted. */
    @Test
    void shouldNotBelieveAnAnnouncementForAnotherProcess() throws IOException {
        start(3, 1 << 30);
        ShmSegment ofZero = world.files[0].create(ONE, 32_000);
        new RingWriter(ofZero.memory()).write(Frames.numbered(66));
        mailboxOfOne(0).announce(ProcessId.of(2), LaneKind.CONTROL, ofZero.id());
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(7));
        pollUntilReceived(1);

        assertThat(atOne.sequences()).containsExactly(7);
        assertThat(atOne.events).containsExactly("broken 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 16, -1, Integer.MIN_VALUE})
    void shouldSendToWhomeverHasNoBellThere(int port) throws IOException {
        start(2, 1 << 30);
        Mailbox mailbox = mailboxOfOne(0);
        mailbox.setBellPort(port);
        mailbox.beginSleep();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(7));
        pollUntilReceived(1);

        assertThat(atOne.sequences()).containsExactly(7);
    }

    @Test
    void shouldRingForWhatIsInHasteAndNotForWhatIsUnhurried() throws IOException {
        start(2, 1 << 30);
        Frame news = Frames.numbered(0);
        news.setUnhurried();
        try (DatagramChannel bell = DatagramChannel.open(StandardProtocolFamily.INET)) {
            bell.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            bell.configureBlocking(false);
            Mailbox mailbox = mailboxOfOne(0);
            mailbox.setBellPort(((InetSocketAddress) bell.getLocalAddress()).getPort());
            mailbox.beginSleep();
            world.fabric(0).offer(ONE, LaneKind.CONTROL, news);
            assertThat(bell.receive(ByteBuffer.allocate(1))).isNull();
            world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(1));
            // On a busy machine the kernel may deliver the datagram that rings the bell late.
            Polling.until(() -> isRung(bell), Thread::onSpinWait);
        }
        pollUntilReceived(2);

        assertThat(atOne.sequences()).containsExactly(0, 1);
    }

    private static boolean isRung(DatagramChannel bell) {
        try {
            return bell.receive(ByteBuffer.allocate(1)) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Mailbox mailboxOfOne(int bySlot) throws IOException {
        return new Mailbox(world.files[bySlot]
                .openMailbox(ONE, HostProcess.self(), world.table.get(1).nonce())
                .memory());
    }

    @Test
    void shouldSleepOnlyShortlyAtFirstAndLongerWhenNothingComes() {
        start(2, 1 << 30);
        long beginNs = System.nanoTime();
        world.fabric(1).sleep(beginNs + TimeUnit.SECONDS.toNanos(40));
        long firstNs = System.nanoTime() - beginNs;
        for (int i = 0; i < 8; i++) {
            world.fabric(1).sleep(System.nanoTime() + TimeUnit.SECONDS.toNanos(40));
        }
        beginNs = System.nanoTime();
        world.fabric(1).sleep(beginNs + TimeUnit.SECONDS.toNanos(40));
        long laterNs = System.nanoTime() - beginNs;

        assertThat(firstNs).isBetween(TimeUnit.MICROSECONDS.toNanos(500), TimeUnit.SECONDS.toNanos(20));
        assertThat(laterNs).isBetween(TimeUnit.MILLISECONDS.toNanos(40), TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void shouldNotSleepWhenSomethingIsThere() {
        start(2, 1 << 30);
        for (int i = 0; i < 20; i++) {
            world.fabric(1).sleep(System.nanoTime() + 1);
        }
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        long beginNs = System.nanoTime();
        int sleeps = 0;
        while (sleeps < 1_000) {
            world.fabric(1).sleep(System.nanoTime() + TimeUnit.SECONDS.toNanos(40));
            sleeps++;
        }

        assertThat(System.nanoTime() - beginNs)
                .as("a thousand sleeps, none of which was one")
                .isLessThan(TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void shouldStayInOrderWhenALargeFrameFollowsSmallOnes() {
        start(2, 1 << 30);
        int[] sizes = {10, 200_000, 20, 30_000, Frame.MAX_PAYLOAD_BYTES, 0};
        for (int i = 0; i < sizes.length; i++) {
            assertThat(world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, Frames.bytes(sizes[i], i))))
                    .isTrue();
        }
        pollUntilReceived(sizes.length);

        for (int i = 0; i < sizes.length; i++) {
            assertThat(atOne.frames.get(i).sequence()).isEqualTo(i);
            assertThat(atOne.frames.get(i).payload()).isEqualTo(Frames.bytes(sizes[i], i));
        }
    }
}
