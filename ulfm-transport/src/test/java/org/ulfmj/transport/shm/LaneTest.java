package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.DyingPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.ShortPath;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;

@Timeout(60)
class LaneTest {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);

    private static final class Got implements InboundLane.Sink {
        final List<byte[]> payloads = new ArrayList<>();
        final List<Integer> sequences = new ArrayList<>();
        final List<String> events = new ArrayList<>();
        int wishes;

        @Override
        public void onFrame(ShmPeer from, LaneKind kind, Frame frame) {
            byte[] payload = new byte[frame.payloadBytes()];
            frame.received().get(payload);
            sequences.add(Frames.numberOf(frame));
            payloads.add(payload);
        }

        @Override
        public void onExcluded(ShmPeer by) {
            events.add("excluded by " + by.id());
        }

        @Override
        public void onRoom(ShmPeer to) {
            wishes++;
        }

        @Override
        public void onBroken(ShmPeer from, String why) {
            events.add(why);
        }
    }

    private final Got got = new Got();
    private ShmDirectory directory;
    private ShmFiles ofZero;
    private ShmFiles ofOne;

    @BeforeEach
    void open() throws IOException {
        directory =
                ShmDirectory.create(ShmDirectory.pathFor(ShmWorld.base(), Long.toHexString(RandomBytes.nextLong())));
        ofOne = new ShmFiles(directory, ONE, HostProcess.self(), 1 << 30);
    }

    @AfterEach
    void remove() {
        directory.remove();
    }

    private OutboundLane sender(LaneKind kind, long maxBytes) throws IOException {
        ofZero = new ShmFiles(directory, ZERO, HostProcess.self(), maxBytes);
        return OutboundLane.open(ofZero, ONE, kind);
    }

    private InboundLane receiver(OutboundLane of, LaneKind kind) throws IOException {
        return receiver(of.fileId(), kind);
    }

    private InboundLane receiver(long fileId, LaneKind kind) throws IOException {
        MemberRecord zero = ShmWorld.recordOf(new LinkIdentity(ZERO, 1), 1);
        return new InboundLane(new ShmPeer(zero), kind, ofOne, fileId);
    }

    /**
     * Offers numbered frames with payloads of this length until one is refused; returns the number of the refused one.
     */
    private static int fill(OutboundLane lane, int first, int bytes) {
        int number = first;
        while (lane.offer(Frames.numbered(number, Frames.bytes(bytes, number)))) {
            number++;
        }
        return number;
    }

    private void readAll(InboundLane lane) {
        while (lane.read(Integer.MAX_VALUE, got) > 0) {
            // until nothing is there
        }
    }

    private void assertReceived(int count, IntFunction<byte[]> payload) {
        assertThat(got.events).isEmpty();
        assertThat(got.sequences).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(got.sequences.get(i)).isEqualTo(i);
            assertThat(got.payloads.get(i)).as("frame " + i).isEqualTo(payload.apply(i));
        }
    }

    @Test
    void shouldGrowWhenFullAndStopGrowing() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        long before = ofZero.reservedBytes();
        int taken = fill(lane, 0, 1_000);

        assertThat(before).isLessThanOrEqualTo(32 * 1024);
        assertThat(taken).as("kilobytes in the files of the lane").isBetween(900, 1_040);
        assertThat(ofZero.reservedBytes()).isLessThanOrEqualTo((32 + 64 + 128 + 256 + 512) * 1024);
        readAll(receiver);
        assertReceived(taken, i -> Frames.bytes(1_000, i));
        assertThat(lane.offer(Frames.numbered(taken, new byte[10]))).isTrue();
    }

    @Test
    void shouldGrowForAFrameThatNeedsItAndGiveTheOldFilesBack() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        int[] sizes = {10, 20_000, 30_000, 60_000, 100_000, Frame.MAX_PAYLOAD_BYTES, 5, Frame.MAX_PAYLOAD_BYTES};
        for (int i = 0; i < sizes.length; i++) {
            assertThat(lane.offer(Frames.numbered(i, Frames.bytes(sizes[i], i))))
                    .isTrue();
            readAll(receiver);
        }

        assertReceived(sizes.length, i -> Frames.bytes(sizes[i], i));
        assertThat(ofZero.reservedBytes())
                .as("the last file and at most the one before")
                .isLessThanOrEqualTo(OutboundLane.MAX_FILE_BYTES * 3 / 2);
    }

    @Test
    void shouldGiveTheFilesOfABurstBackOnceTheyAreRead() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        int taken = fill(lane, 0, 1_000);
        readAll(receiver);

        assertThat(lane.offer(Frames.numbered(taken, Frames.bytes(1_000, taken))))
                .isTrue();

        assertThat(ofZero.reservedBytes() - ofZero.heldBytes())
                .as("the last file alone, but for what the collector has yet to find")
                .isLessThanOrEqualTo(512 * 1024);
        readAll(receiver);
        assertReceived(taken + 1, i -> Frames.bytes(1_000, i));
    }

    @Test
    void shouldGrowOnceThereIsRoomAgain() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 120 * 1024);
        ShmSegment other = ofZero.create(ONE, 80 * 1024);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        int taken = fill(lane, 0, 1_000);
        assertThat(taken).as("kilobytes in the first file").isLessThan(32);

        ofZero.discard(other);
        other = null;
        while (taken < 33) {
            System.gc();
            taken = fill(lane, taken, 1_000);
        }

        readAll(receiver);
        assertReceived(taken, i -> Frames.bytes(1_000, i));
    }

    @Test
    void shouldTakeLongFramesAfterAPayloadThatCouldNotBeRead() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        Frame torn = Frames.numbered(0, Frames.bytes(100, 0));
        torn.payload(new DyingPayload(torn.payload(), 10, () -> {}), 0, 100);
        assertThatThrownBy(() -> lane.offer(torn)).isInstanceOf(DyingPayload.SenderKilled.class);

        assertThat(lane.offer(Frames.numbered(0, Frames.bytes(10_000, 0)))).isTrue();

        readAll(receiver);
        assertReceived(1, i -> Frames.bytes(10_000, i));
    }

    @Test
    void shouldLeaveNoNameBehindOnceBothEndsHaveTheFile() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        for (int i = 0; lane.offer(Frames.numbered(i, new byte[10_000])); i++) {
            // until the lane has reached its largest size and is full
        }
        readAll(receiver);

        assertThat(directory.path().toFile().list())
                .allMatch(name -> name.startsWith("owner.") || name.equals(ShmTotal.NAME));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldCutFramesWhereNoLargerFileCanBeHad(long seed) throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 40 * 1024);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        Random random = new Random(seed);
        int sent = 0;
        while (sent < 200) {
            int size = random.nextInt(3) == 0 ? random.nextInt(Frame.MAX_PAYLOAD_BYTES) : random.nextInt(2_000);
            if (lane.offer(Frames.numbered(sent, Frames.bytes(size, seed + sent)))) {
                sent++;
            }
            if (random.nextInt(3) == 0) {
                receiver.read(1 + random.nextInt(5), got);
                lane.flush();
            }
        }
        while (!lane.flush()) {
            readAll(receiver);
        }
        readAll(receiver);

        assertThat(got.events).isEmpty();
        assertThat(got.sequences).hasSize(200).isSorted();
        for (int i = 0; i < 200; i++) {
            byte[] payload = got.payloads.get(i);
            assertThat(payload).isEqualTo(Frames.bytes(payload.length, seed + i));
        }
        assertThat(ofZero.reservedBytes()).isLessThanOrEqualTo(40 * 1024);
    }

    @Test
    void shouldNeverRefuseControl() throws IOException {
        OutboundLane lane = sender(LaneKind.CONTROL, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.CONTROL);
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            assertThat(lane.offer(Frames.numbered(i, Frames.bytes(i % 100, i)))).isTrue();
        }
        assertThat(lane.hasWaiting()).isTrue();
        assertThat(ofZero.reservedBytes()).as("what waits is the sender's own").isLessThan(20_000);
        while (!lane.flush()) {
            readAll(receiver);
        }
        readAll(receiver);

        assertReceived(count, i -> Frames.bytes(i % 100, i));
    }

    @Test
    void shouldTellTheExcludedBehindWhatWasSentHoweverFullTheLaneIs() throws IOException {
        OutboundLane lane = sender(LaneKind.CONTROL, 1 << 30);
        int sent = 0;
        while (!lane.hasWaiting()) {
            lane.offer(Frames.numbered(sent, new byte[40]));
            sent++;
        }
        lane.exclude();
        InboundLane receiver = receiver(lane, LaneKind.CONTROL);
        readAll(receiver);

        assertThat(got.sequences).hasSize(sent - 1);
        assertThat(got.events).containsExactly("excluded by 0");
        assertThat(receiver.isClosed()).isTrue();
    }

    @Test
    void shouldBeFoundByAReceiverThatComesWhenTheSenderIsGone() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        long fileId = lane.fileId();
        int sent = fill(lane, 0, 5_000);
        readAll(receiver(fileId, LaneKind.DATA));

        assertReceived(sent, i -> Frames.bytes(5_000, i));
    }

    @Test
    void shouldTellTheReceiverOnlyWhileItLacksRoom() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 40 * 1024);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        lane.offer(Frames.numbered(0, new byte[10_000]));
        readAll(receiver);
        assertThat(got.wishes).isZero();
        int sent = 1;
        while (lane.offer(Frames.numbered(sent, new byte[10_000]))) {
            sent++;
        }
        assertThat(lane.mayHaveRoom()).isFalse();
        readAll(receiver);
        assertThat(got.wishes).isEqualTo(1);
        assertThat(lane.mayHaveRoom()).isTrue();
        lane.offer(Frames.numbered(sent, new byte[10_000]));
        readAll(receiver);
        assertThat(got.wishes).isEqualTo(1);
    }

    @Test
    void shouldReadNothingOnceItIsClosed() throws IOException {
        OutboundLane lane = sender(LaneKind.DATA, 1 << 30);
        InboundLane receiver = receiver(lane, LaneKind.DATA);
        lane.offer(Frames.numbered(0));
        receiver.close();

        assertThat(receiver.read(10, got)).isZero();
        assertThat(receiver.isEmpty()).isTrue();
        assertThat(got.sequences).isEmpty();
    }

    @Test
    void shouldBreakAtAFrameOfUnknownType() throws IOException {
        assertBroken(memory -> memory.put(LaneLayout.RECORDS_AT + LaneLayout.WORD_BYTES, (byte) 99), "unknown type 99");
    }

    @Test
    void shouldBreakAtAFrameShorterThanItsHeader() throws IOException {
        assertBroken(
                memory -> memory.putLong(
                        LaneLayout.RECORDS_AT,
                        LaneLayout.commitWord(LaneLayout.FRAME, FrameLayout.HEADER_BYTES - 1, 0)),
                "frame of 47 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 16 + 257})
    void shouldBreakAtAFrameThatIsNotAsLongAsAShortHeaderSays(int bytes) throws IOException {
        assertBroken(
                memory -> memory.putLong(LaneLayout.RECORDS_AT, LaneLayout.commitWord(LaneLayout.BRIEF, bytes, 0)),
                "brief frame of " + bytes + " bytes");
    }

    @Test
    void shouldBreakAtAMessageBetweenProtocolsThatIsTooLongForNoHeader() throws IOException {
        assertBroken(
                memory -> memory.putLong(LaneLayout.RECORDS_AT, LaneLayout.commitWord(LaneLayout.BARE, 257, 0)),
                "bare frame of 257 bytes");
    }

    @Test
    void shouldBreakAtASuccessorThatDoesNotExist() throws IOException {
        assertBroken(
                memory -> {
                    memory.putLong(LaneLayout.SUCCESSOR_AT, 12345);
                    memory.putLong(LaneLayout.RECORDS_AT, LaneLayout.commitWord(LaneLayout.REPLACED, 0, 0));
                },
                "3039");
    }

    /** A receive that waits by the short path holds the lane, and only a poll opens the next file. */
    @Test
    void shouldNotBeOpenToTheShortPathWhileTheNextFileCannotBeOpened() throws IOException {
        ofZero = new ShmFiles(directory, ZERO, HostProcess.self(), 1 << 30);
        ShmSegment first = ofZero.create(ONE, 32_000);
        ShmSegment second = ofZero.create(ONE, 32_000);
        new RingWriter(first.memory()).replaceBy(second.id());
        new RingWriter(second.memory()).write(Frames.numbered(0));
        ShmPeer peer = new ShmPeer(ShmWorld.recordOf(new LinkIdentity(ZERO, 1), 1));
        InboundLane receiver = new InboundLane(peer, LaneKind.DATA, ofOne, first.id());
        peer.setInbound(LaneKind.DATA, receiver);
        ShortPath path = peer.shortPath(null);
        assertThat(path.isOpen()).isTrue();

        // A directory of that name cannot be opened as a file, just as no file can be without a descriptor.
        Path name = directory.path().resolve(second.name());
        Path aside = directory.path().resolve("aside");
        Files.move(name, aside);
        Files.createDirectory(name);
        readAll(receiver);
        assertThat(got.sequences).isEmpty();
        assertThat(path.isOpen()).isFalse();

        Files.delete(name);
        Files.move(aside, name);
        readAll(receiver);
        assertReceived(1, i -> new byte[0]);
        assertThat(path.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1 << 20, Integer.MAX_VALUE})
    void shouldBreakAtAPartOfAFrameOfAWrongLength(int total) throws IOException {
        assertBroken(
                memory -> {
                    memory.putInt(LaneLayout.RECORDS_AT + LaneLayout.WORD_BYTES, littleEndian(total));
                    memory.putLong(LaneLayout.RECORDS_AT, LaneLayout.commitWord(LaneLayout.PART, 16, 0));
                },
                "wrong length");
    }

    @Test
    void shouldBreakAtAPartThatDoesNotFollow() throws IOException {
        assertBroken(
                memory -> {
                    memory.putInt(LaneLayout.RECORDS_AT + LaneLayout.WORD_BYTES, littleEndian(1000));
                    memory.putInt(LaneLayout.RECORDS_AT + LaneLayout.WORD_BYTES + 4, littleEndian(8));
                    memory.putLong(LaneLayout.RECORDS_AT, LaneLayout.commitWord(LaneLayout.PART, 16, 0));
                },
                "does not follow");
    }

    private static int littleEndian(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private void assertBroken(Consumer<ByteBuffer> damage, String why) throws IOException {
        ofZero = new ShmFiles(directory, ZERO, HostProcess.self(), 1 << 30);
        ShmSegment segment = ofZero.create(ONE, 32_000);
        new RingWriter(segment.memory()).write(Frames.numbered(1));
        damage.accept(segment.memory());
        InboundLane receiver = receiver(segment.id(), LaneKind.DATA);
        readAll(receiver);

        assertThat(got.sequences).isEmpty();
        assertThat(got.events).hasSize(1);
        assertThat(got.events.get(0)).contains(why);
        assertThat(receiver.isClosed()).as("nothing more is read").isTrue();
    }
}
