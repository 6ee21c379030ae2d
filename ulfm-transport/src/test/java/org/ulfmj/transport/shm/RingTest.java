package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Frames;

class RingTest {
    private static final int MEMORY_BYTES = 4096;

    private final ByteBuffer memory = memory(MEMORY_BYTES);
    private final RingWriter writer = new RingWriter(memory);
    private final RingReader reader = new RingReader(memory.duplicate().order(ByteOrder.nativeOrder()));

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private void expect(int sequence, byte[] payload) {
        assertThat(reader.next()).isTrue();
        Frame frame = new Frame();
        reader.read(frame);
        byte[] got = new byte[frame.payloadBytes()];
        frame.received().get(got);
        assertThat(Frames.numberOf(frame)).isEqualTo(sequence);
        assertThat(got).isEqualTo(payload);
        reader.release();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldKeepRecordsWholeAndInOrderOverManyLaps(long seed) {
        Random random = new Random(seed);
        ArrayDeque<byte[]> inside = new ArrayDeque<>();
        int sent = 0;
        int received = 0;
        for (int i = 0; i < 5_000; i++) {
            byte[] payload = Frames.bytes(random.nextInt(random.nextInt(8) == 0 ? 1_500 : 100), seed + i);
            if (writer.write(Frames.numbered(sent, payload))) {
                writer.fetchAhead();
                inside.addLast(payload);
                sent++;
            } else {
                assertThat(inside)
                        .as("an empty ring has room for less than half of it")
                        .isNotEmpty();
            }
            for (int reads = random.nextInt(4); reads > 0 && !inside.isEmpty(); reads--) {
                expect(received++, inside.removeFirst());
            }
        }
        while (!inside.isEmpty()) {
            expect(received++, inside.removeFirst());
        }
        assertThat(reader.next()).isFalse();
        assertThat(reader.fault()).isNull();
        assertThat(reader.isEmpty()).isTrue();
        assertThat(sent).isGreaterThan(1_000);
    }

    @Test
    void shouldHoldWhatItSaysItCanHoldWhereverItStands() {
        int largest = 0;
        while (writer.canHold(largest + 1)) {
            largest++;
        }
        byte[] payload = Frames.bytes(largest - FrameLayout.HEADER_BYTES, 1);
        for (int i = 0; i < 400; i++) {
            // Steps of different lengths, so that the frame begins at many places of the ring.
            byte[] step = Frames.bytes(i % 50, i);
            assertThat(writer.write(Frames.numbered(i, step))).isTrue();
            expect(i, step);
            assertThat(writer.write(Frames.numbered(i, payload)))
                    .as("turn " + i)
                    .isTrue();
            expect(i, payload);
        }
        assertThat(writer.canHold(largest + 1)).isFalse();
    }

    @Test
    void shouldHaveRoomForALastRecordHoweverFullItIs() {
        for (int size = 0; size < 200; size++) {
            ByteBuffer fresh = memory(MEMORY_BYTES);
            RingWriter full = new RingWriter(fresh);
            RingReader itsReader = new RingReader(fresh);
            int records = 0;
            while (full.write(Frames.numbered(1 + records, new byte[size]))) {
                records++;
            }
            full.replaceBy(77);
            for (int i = 0; i < records; i++) {
                assertThat(itsReader.next()).isTrue();
                assertThat(itsReader.kind()).isEqualTo(LaneLayout.FRAME);
                assertThat(full.isAllRead()).isFalse();
                itsReader.release();
            }
            assertThat(itsReader.next()).as("of " + size + " bytes").isTrue();
            assertThat(itsReader.kind()).isEqualTo(LaneLayout.REPLACED);
            assertThat(itsReader.successor()).isEqualTo(77);
            itsReader.release();
            assertThat(full.isAllRead()).isTrue();
        }
    }

    @Test
    void shouldBeEmptyBehindTheLastRecordWhateverLayThereBefore() {
        byte[] payload = Frames.bytes(500, 1);
        for (int i = 0; i < 2 * MEMORY_BYTES / payload.length; i++) {
            assertThat(writer.write(Frames.numbered(i, payload))).isTrue();
            expect(i, payload);
        }
        writer.replaceBy(77);
        assertThat(reader.isEmpty()).isFalse();
        assertThat(reader.next()).isTrue();
        reader.release();

        assertThat(reader.isEmpty()).isTrue();
    }

    @Test
    void shouldPutAFrameTogetherFromPartsOfAnySize() {
        byte[] frame = Frames.bytes(5_000, 3);
        byte[] got = new byte[frame.length];
        int at = 0;
        int count = 0;
        for (int size = 1; at < frame.length; size = Math.min(writer.maxPartBytes(), size * 2)) {
            int bytes = Math.min(size, frame.length - at);
            assertThat(writer.writePart(frame, at, bytes)).isTrue();
            assertThat(reader.next()).isTrue();
            assertThat(reader.kind()).isEqualTo(LaneLayout.PART);
            ByteBuffer body = reader.body();
            assertThat(body.getInt()).isEqualTo(frame.length);
            assertThat(body.getInt()).isEqualTo(at);
            body.get(got, at, body.remaining());
            reader.release();
            at += bytes;
            count++;
        }
        assertThat(got).isEqualTo(frame);
        assertThat(count).isGreaterThan(10);
    }

    @Test
    void shouldRefuseARecordOfAnotherPosition() {
        putWord(LaneLayout.commitWord(LaneLayout.FRAME, 48, 8));
        assertFault("another position");
    }

    @Test
    void shouldRefuseARecordLongerThanItsRing() {
        putWord(LaneLayout.commitWord(LaneLayout.FRAME, MEMORY_BYTES - LaneLayout.RECORDS_AT, 0));
        assertFault("does not fit");
    }

    @Test
    void shouldRefuseARecordOfNegativeLength() {
        putWord(LaneLayout.commitWord(LaneLayout.FRAME, 0, 0) | 0x80000000L);
        assertFault("does not fit");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 255})
    void shouldRefuseARecordOfUnknownKind(int kind) {
        putWord(LaneLayout.commitWord(kind, 48, 0));
        assertFault("unknown kind");
    }

    @Test
    void shouldRefuseToSkipForEver() {
        putWord(LaneLayout.commitWord(LaneLayout.SKIP, 0, 0));
        assertFault("skips everything");
    }

    /**
     * With one to four random bytes written over records, in 2,000 draws, a reader comes to an end before the 200th
     * record. More than 100 of the draws end in a fault.
     */
    @Test
    void shouldSurviveAnyGarbage() {
        int faults = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            ByteBuffer wild = memory(1024);
            RingWriter some = new RingWriter(wild);
            for (int i = 0; i < 5; i++) {
                some.write(Frames.numbered(i, Frames.bytes(random.nextInt(60), i)));
            }
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                wild.put(LaneLayout.RECORDS_AT + random.nextInt(400), (byte) random.nextInt());
            }
            RingReader itsReader = new RingReader(wild);
            int records = 0;
            while (itsReader.next()) {
                assertThat(itsReader.body().remaining()).isEqualTo(itsReader.bodyBytes());
                itsReader.release();
                records++;
                assertThat(records).as("seed " + seed).isLessThan(200);
            }
            faults += itsReader.fault() == null ? 0 : 1;
        }
        assertThat(faults).as("garbage that was noticed").isGreaterThan(100);
    }

    private void putWord(long word) {
        memory.putLong(LaneLayout.RECORDS_AT, word);
    }

    private void assertFault(String text) {
        assertThat(reader.next()).isFalse();
        assertThat(reader.fault()).contains(text);
        assertThat(reader.next()).as("asked again").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 200, 256})
    void shouldSayEverythingOfAMessageWhenItsHeaderIsShort(int payloadBytes) {
        byte[] payload = Frames.bytes(payloadBytes, 5);
        Frame sent = Frames.numbered(0, payload);
        Frames.setStream(sent, 0x81);
        Frames.setSource(sent, 0xfe_dcba);
        assertThat(writer.write(sent)).isTrue();
        assertThat(reader.next()).isTrue();
        assertThat(reader.kind()).isEqualTo(LaneLayout.BRIEF);
        Frame got = new Frame();
        got.setSynchronous();
        got.setSenderId(1);
        Frames.setPeerId(got, 2);
        reader.read(got);
        assertThat(got)
                .usingRecursiveComparison()
                .ignoringFields("payload", "received")
                .isEqualTo(sent);
        byte[] bytes = new byte[got.payloadBytes()];
        got.received().get(bytes);
        assertThat(bytes).isEqualTo(payload);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 75, 256})
    void shouldSayEverythingOfAMessageBetweenProtocolsWithoutAHeader(int payloadBytes) {
        byte[] payload = Frames.bytes(payloadBytes, 6);
        Frame sent = new Frame()
                .writeControl(new BufferPayload(ByteBuffer.wrap(payload)))
                .setUnhurried();
        assertThat(writer.write(sent)).isTrue();
        assertThat(reader.next()).isTrue();
        assertThat(reader.kind()).isEqualTo(LaneLayout.BARE);
        assertThat(reader.bodyBytes()).isEqualTo(payloadBytes);
        Frame got = Frames.numbered(3, new byte[1]);
        reader.read(got);
        Frames.setFlags(sent, 0);
        assertThat(got)
                .usingRecursiveComparison()
                .ignoringFields("payload", "payloadOffset", "received")
                .isEqualTo(sent);
        byte[] bytes = new byte[got.payloadBytes()];
        got.received().get(bytes);
        assertThat(bytes).isEqualTo(payload);
    }

    @Test
    void shouldKeepTheHeaderWhenAMessageBetweenProtocolsIsAcknowledged() {
        Frame sent = new Frame().writeControl(BufferPayload.EMPTY).askForAcknowledgement();
        assertThat(writer.write(sent)).isTrue();
        assertThat(reader.next()).isTrue();
        assertThat(reader.kind()).isEqualTo(LaneLayout.FRAME);
    }

    @Test
    void shouldKeepTheLongHeaderWhenAFrameHasMoreToSay() {
        List<Consumer<Frame>> changes = List.of(
                frame -> Frames.setType(frame, FrameType.RTS),
                Frame::setSynchronous,
                frame -> Frames.setSequence(frame, 1),
                frame -> Frames.setSource(frame, 1 << 24),
                frame -> Frames.setSource(frame, -1),
                frame -> Frames.setLength(frame, 9),
                frame -> frame.setSenderId(1L << 40),
                frame -> Frames.setPeerId(frame, 1));
        for (Consumer<Frame> change : changes) {
            Frame sent = Frames.numbered(0, new byte[8]);
            change.accept(sent);
            assertThat(writer.write(sent)).isTrue();
            assertThat(reader.next()).isTrue();
            assertThat(reader.kind()).isEqualTo(LaneLayout.FRAME);
            Frame got = new Frame();
            reader.read(got);
            assertThat(got)
                    .usingRecursiveComparison()
                    .ignoringFields("payload", "received")
                    .isEqualTo(sent);
            reader.release();
        }
        assertThat(writer.write(Frames.numbered(0, new byte[257]))).isTrue();
        assertThat(reader.next()).isTrue();
        assertThat(reader.kind()).isEqualTo(LaneLayout.FRAME);
    }
}
