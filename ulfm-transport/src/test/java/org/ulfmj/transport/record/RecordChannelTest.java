package org.ulfmj.transport.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.transport.record.RecordStreams.ACCEPTOR;
import static org.ulfmj.transport.record.RecordStreams.DIALER;
import static org.ulfmj.transport.record.RecordStreams.channel;
import static org.ulfmj.transport.record.RecordStreams.joined;
import static org.ulfmj.transport.record.RecordStreams.open;
import static org.ulfmj.transport.record.RecordStreams.opened;
import static org.ulfmj.transport.record.RecordStreams.sealed;
import static org.ulfmj.transport.record.RecordStreams.split;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.auth.RecordKeys;
import org.ulfmj.transport.record.RecordStreams.Opened;

class RecordChannelTest {
    private static final int MAX = RecordFormat.MAX_BYTES;
    private static final byte[] SHORT = {1, 2, 3, 4, 5};
    private static final byte[] LONG = Frames.bytes(100, 7);
    /** More bytes than a record of any length that a reader accepts. */
    private static final byte[] REST = Frames.bytes(3 * MAX, 8);

    @Test
    void shouldCarryTextsOfAnyLengthAtAnyPace() throws IOException {
        Random random = new Random(1);
        for (int length : new int[] {0, 1, 15, 16, 17, 255, 4_000, MAX - 1, MAX, MAX + 1, 3 * MAX + 5, 200_001}) {
            byte[] text = Frames.bytes(length, length);
            MemoryChannel below = new MemoryChannel();
            below.pace = 1 + random.nextInt(10_000);
            RecordChannel writer = channel(DIALER, below);
            ByteBuffer source = random.nextBoolean()
                    ? ByteBuffer.wrap(text)
                    : ByteBuffer.allocateDirect(length).put(text).flip();
            while (source.hasRemaining() || !writer.flush()) {
                writer.write(source);
            }
            assertThat(writer.isFlushed()).isTrue();
            int records = (length + MAX - 1) / MAX;
            assertThat(below.written.size()).as("length " + length).isEqualTo(length + 20 * records);
            below.arrive(below.written.toByteArray());
            below.pace = 1 + random.nextInt(10_000);
            Opened opened = open(channel(ACCEPTOR, below), 1 + random.nextInt(100_000));
            assertThat(opened.bytes()).as("length " + length).isEqualTo(text);
            assertThat(opened.failure()).isNull();
            assertThat(opened.isAtEnd()).isFalse();
        }
    }

    @Test
    void shouldCarryGatheredTextsAndBothDirections() throws IOException {
        MemoryChannel toAcceptor = new MemoryChannel();
        MemoryChannel toDialer = new MemoryChannel();
        RecordChannel dialer = new RecordChannel(DIALER, toDialer, toAcceptor, Long.MAX_VALUE);
        RecordChannel acceptor = new RecordChannel(ACCEPTOR, toAcceptor, toDialer, Long.MAX_VALUE);
        for (int round = 0; round < 3; round++) {
            long count = dialer.write(new ByteBuffer[] {ByteBuffer.wrap(SHORT), ByteBuffer.wrap(REST)});
            assertThat(count).isEqualTo(SHORT.length + REST.length);
            acceptor.write(ByteBuffer.wrap(LONG));
            toAcceptor.arrive(toAcceptor.written.toByteArray());
            toAcceptor.written.reset();
            toDialer.arrive(toDialer.written.toByteArray());
            toDialer.written.reset();
            assertThat(open(acceptor, 100_000).bytes()).isEqualTo(joined(SHORT, REST));
            assertThat(open(dialer, 100_000).bytes()).isEqualTo(LONG);
        }
    }

    /** The format, by the JDK alone. */
    @Test
    void shouldBeCountedAes128Gcm() throws GeneralSecurityException {
        List<byte[]> records = split(sealed(SHORT, LONG, REST));
        assertThat(records).hasSize(5);
        byte[][] texts = {SHORT, LONG, Arrays.copyOf(REST, MAX)};
        for (int number = 0; number < texts.length; number++) {
            ByteBuffer record = ByteBuffer.wrap(records.get(number)).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(record.getInt()).isEqualTo(texts[number].length + 16);
            byte[] nonce = new byte[12];
            nonce[11] = (byte) number;
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    new SecretKeySpec(RecordStreams.key(1), "AES"),
                    new GCMParameterSpec(128, nonce));
            byte[] sealed = new byte[record.remaining()];
            record.get(sealed);
            assertThat(cipher.doFinal(sealed)).isEqualTo(texts[number]);
        }
    }

    @Test
    void shouldTakeAnEmptyRecord() throws GeneralSecurityException {
        byte[] sealed = new byte[RecordFormat.TAG_BYTES];
        assertThat(RecordCipher.sealing(RecordStreams.key(1)).apply(new byte[0], 0, sealed))
                .isEqualTo(sealed.length);
        byte[] empty = joined(new byte[] {RecordFormat.TAG_BYTES, 0, 0, 0}, sealed);
        // The second record of a stream. An empty record takes the place of the first one.
        byte[] second = split(sealed(SHORT, LONG)).get(1);

        Opened opened = opened(joined(empty, second));

        assertThat(opened.failure()).isNull();
        assertThat(opened.bytes()).isEqualTo(LONG);
        assertThat(opened.isAtEnd()).isTrue();
    }

    @Test
    void shouldGiveOutWholeRecordsOnlyWhereverAStreamIsCut() {
        byte[] stream = sealed(SHORT, LONG, SHORT);
        int first = SHORT.length + 20;
        int second = first + LONG.length + 20;
        for (int cut = 0; cut <= stream.length; cut++) {
            MemoryChannel below = new MemoryChannel();
            RecordChannel channel = channel(ACCEPTOR, below);
            below.arrive(Arrays.copyOf(stream, cut));
            byte[] before = open(channel, 64).bytes();
            byte[] whole = cut < first
                    ? new byte[0]
                    : cut < second ? SHORT : cut < stream.length ? joined(SHORT, LONG) : joined(SHORT, LONG, SHORT);
            assertThat(before).as("cut at " + cut).isEqualTo(whole);
            below.arrive(Arrays.copyOfRange(stream, cut, stream.length));
            below.end();
            Opened after = open(channel, 64);
            assertThat(joined(before, after.bytes())).as("cut at " + cut).isEqualTo(joined(SHORT, LONG, SHORT));
            assertThat(after.isAtEnd()).isTrue();
            assertThat(opened(Arrays.copyOf(stream, cut)).bytes()).isEqualTo(whole);
            assertThat(opened(Arrays.copyOf(stream, cut)).isAtEnd()).isTrue();
        }
    }

    @Test
    void shouldEndAtEachChangedBit() {
        byte[] stream = sealed(SHORT, LONG, REST);
        int first = SHORT.length + 20;
        int second = first + LONG.length + 20;
        for (int bit = 0; bit < 8 * second; bit++) {
            byte[] changed = stream.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);

            Opened opened = opened(changed);

            assertThat(opened.bytes()).as("bit " + bit).isEqualTo(bit < 8 * first ? new byte[0] : SHORT);
            assertThat(opened.failure()).as("bit " + bit).isInstanceOf(RecordException.class);
        }
    }

    @Test
    void shouldNeverGoOnAfterAWrongRecord() {
        byte[] changed = sealed(SHORT, LONG);
        changed[10] ^= 1;
        MemoryChannel below = new MemoryChannel();
        below.arrive(changed);
        RecordChannel channel = channel(ACCEPTOR, below);
        for (int i = 0; i < 3; i++) {
            Opened opened = open(channel, 100);
            assertThat(opened.bytes()).isEmpty();
            assertThat(opened.failure()).hasMessage("record 0 fails its check").isInstanceOf(RecordException.class);
            assertThat(channel.isReady()).isTrue();
        }
    }

    @Test
    void shouldRefuseRecordsThatAreRepeatedMovedLeftOutOrOfOthers() {
        List<byte[]> records = split(sealed(SHORT, LONG, REST));
        byte[] first = records.get(0);
        byte[] second = records.get(1);
        shouldEndAfter(SHORT, first, first, second);
        shouldEndAfter(new byte[0], second, first);
        shouldEndAfter(new byte[0], second);
        shouldEndAfter(SHORT, first, records.get(2));
        shouldEndAfter(joined(SHORT, LONG), first, second, first);
        // Records that the acceptor itself has sent, and records of another connection.
        shouldEndAfter(new byte[0], sealed(ACCEPTOR, SHORT));
        shouldEndAfter(new byte[0], sealed(RecordStreams.keys(3, 4), SHORT));
    }

    private static void shouldEndAfter(byte[] text, byte[]... records) {
        Opened opened = opened(joined(records));
        assertThat(opened.bytes()).isEqualTo(text);
        assertThat(opened.failure()).isInstanceOf(RecordException.class).hasMessageEndingWith("fails its check");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 15, MAX + 17, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseALengthThatNoRecordHas(int length) {
        byte[] head = ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array();

        Opened opened = opened(joined(sealed(SHORT), head));

        assertThat(opened.bytes()).isEqualTo(SHORT);
        assertThat(opened.failure())
                .isInstanceOf(RecordException.class)
                .hasMessage("a record of " + length + " bytes, 16 to 16400 are possible");
    }

    @Test
    void shouldKeepWhatTheChannelBelowDoesNotTakeAndNoMore() throws IOException {
        MemoryChannel below = new MemoryChannel();
        below.room = 0;
        RecordChannel writer = channel(DIALER, below);
        byte[] text = Frames.bytes(1_000_000, 3);
        ByteBuffer source = ByteBuffer.wrap(text);
        int taken = writer.write(source);
        assertThat(taken).isBetween(MAX, RecordFormat.MAX_BUFFER_BYTES);
        assertThat(writer.write(source)).as("while it is full").isZero();
        assertThat(writer.flush()).isFalse();
        assertThat(writer.isFlushed()).isFalse();
        while (source.hasRemaining() || !writer.flush()) {
            below.room = 5_000;
            writer.write(source);
        }
        assertThat(opened(below.written.toByteArray()).bytes()).isEqualTo(text);
    }

    @Test
    void shouldSayThatThereIsMoreThanTheReaderHadRoomFor() throws IOException {
        MemoryChannel below = new MemoryChannel();
        below.arrive(sealed(SHORT, LONG));
        RecordChannel channel = channel(ACCEPTOR, below);
        assertThat(channel.isReady()).isFalse();
        ByteBuffer target = ByteBuffer.allocate(3);
        assertThat(channel.read(target)).isEqualTo(3);
        assertThat(channel.isReady()).as("two bytes of a record").isTrue();
        assertThat(channel.read(ByteBuffer.allocate(2))).isEqualTo(2);
        assertThat(channel.isReady()).as("another record").isTrue();
        assertThat(channel.read(ByteBuffer.allocate(LONG.length))).isEqualTo(LONG.length);
        assertThat(channel.isReady()).isFalse();
        assertThat(channel.read(target.clear())).isZero();
    }

    /**
     * Two records of the same text differ, and so do the records of the two directions; a record of zeros holds few
     * zeros.
     */
    @Test
    void shouldShowNothingOfATextAndNotWhetherItComesAgain() {
        byte[] text = new byte[5_000];
        List<byte[]> records = split(sealed(text, text));
        assertThat(records.get(0)).isNotEqualTo(records.get(1));
        assertThat(sealed(ACCEPTOR, text)).isNotEqualTo(sealed(DIALER, text));
        ByteArrayOutputStream zeros = new ByteArrayOutputStream();
        for (byte b : records.get(0)) {
            if (b == 0) {
                zeros.write(b);
            }
        }
        assertThat(zeros.size()).as("zeros among " + text.length + " bytes").isLessThan(100);
    }

    @Test
    void shouldSayWhenItsKeyHasServed() throws IOException {
        MemoryChannel below = new MemoryChannel();
        RecordChannel channel = new RecordChannel(DIALER, below, below, 1_000);
        channel.write(ByteBuffer.allocate(999));
        assertThat(channel.isUsedUp()).isFalse();
        channel.write(ByteBuffer.allocate(1));
        assertThat(channel.isUsedUp()).isTrue();
    }

    @Test
    void shouldSpoilTheBitThatItIsAskedTo() {
        MemoryChannel below = new MemoryChannel();
        below.arrive(sealed(SHORT, LONG));
        RecordChannel channel = channel(ACCEPTOR, below);
        int[] bits = {-1, 3_000};
        int[] asked = {0};
        channel.spoilBy(() -> bits[asked[0]++]);

        Opened opened = open(channel, 1_000);

        assertThat(opened.bytes()).isEqualTo(SHORT);
        assertThat(opened.failure()).hasMessage("record 1 fails its check");
        assertThat(asked[0]).isEqualTo(2);
    }

    @Test
    void shouldNotShowKeysInATextOfThem() {
        assertThat(new RecordKeys(RecordStreams.key(77), RecordStreams.key(78))).hasToString("record keys");
    }
}
