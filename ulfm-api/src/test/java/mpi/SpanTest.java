package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpanTest {
    private static final int LENGTH = 41;
    private final Random random = new Random(20261121);

    static Stream<Object[]> typesAndHolders() {
        return Samples.TYPES.stream()
                .flatMap(type -> Samples.holders(type).stream().map(holder -> new Object[] {type, holder}));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("typesAndHolders")
    void shouldCopyOutWhatEveryKindOfBufferHolds(Datatype type, Samples.Holder holder) {
        Object elements = Samples.filled(type, LENGTH, random);
        Object buffer = holder.make(type, LENGTH);
        Samples.set(type, buffer, elements);

        ByteBuffer target = ByteBuffer.allocateDirect(LENGTH * Samples.bytes(type));
        new Span().set(buffer, 0, LENGTH, type).copyOut(0, target);

        assertThat(target.hasRemaining()).isFalse();
        assertThat(bytes(target.flip())).isEqualTo(Samples.encode(type, elements));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("typesAndHolders")
    void shouldNameTheProgramsObjectAsHolder(Datatype type, Samples.Holder holder) {
        Object buffer = holder.make(type, LENGTH);
        if (buffer instanceof Buffer limited) {
            limited.limit(limited.capacity() - 1);
        }
        for (int count : new int[] {0, 1, LENGTH}) {
            Span span = new Span().set(buffer, 0, count, type);
            assertThat(span.holder()).isSameAs(buffer);
            assertThat(span.kept(null).holder()).isSameAs(buffer);
            assertThat(span.kept(new Span()).kept(null).holder()).isSameAs(buffer);
        }
        if (buffer instanceof Buffer unlimited) {
            unlimited.clear();
        }
        assertThat(new Span().set(buffer, 0, 1, type).holder()).isSameAs(buffer);
        assertThat(new Span().set(buffer, 0, 1, type).kept(new Span()).holder()).isSameAs(buffer);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("typesAndHolders")
    void shouldCopyIntoEveryKindOfBuffer(Datatype type, Samples.Holder holder) {
        Object elements = Samples.filled(type, LENGTH, random);
        Object buffer = holder.make(type, LENGTH);

        ByteBuffer source = ByteBuffer.wrap(Samples.encode(type, elements));
        new Span().set(buffer, 0, LENGTH, type).copyIn(0, source);

        assertThat(source.hasRemaining()).isFalse();
        assertThat(Samples.get(type, buffer, LENGTH)).isEqualTo(elements);
    }

    @Test
    void shouldCopyBytesOfEveryShortLengthFromAndToEveryPlace() {
        for (int length = 0; length <= 70; length++) {
            for (int at = 0; at < 9; at++) {
                byte[] from = (byte[]) Samples.filled(MPI.BYTE, 90, random);
                byte[] into = (byte[]) Samples.filled(MPI.BYTE, 90, random);
                byte[] expected = into.clone();
                System.arraycopy(from, at, expected, 8 - at, length);
                ByteBuffer carrier = ByteBuffer.allocateDirect(100);
                carrier.position(at).limit(at + length);

                new Span().set(from, at, length, MPI.BYTE).copyOut(0, carrier);
                carrier.position(at);
                new Span().set(into, 8 - at, length, MPI.BYTE).copyIn(0, carrier);

                assertThat(into).as("%d bytes at %d", length, at).isEqualTo(expected);
                assertThat(carrier.position()).isEqualTo(at + length);
                assertThat(bytes(carrier.position(at + length).limit(100))).containsOnly(0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldSayWhichObjectsHoldElements(Datatype type) {
        Elements elements = type.elements();
        for (Datatype other : Samples.TYPES) {
            int expected = other == type ? 5 : Elements.WRONG_TYPE;
            assertThat(elements.capacity(Samples.array(other, 5)))
                    .as("%s[]", other)
                    .isEqualTo(expected);
        }
        for (Samples.Holder holder : Samples.holders(type)) {
            Object buffer = holder.make(type, 5);
            assertThat(elements.capacity(buffer))
                    .as("%s", holder)
                    .isEqualTo(buffer instanceof ByteBuffer ? Elements.WRONG_TYPE : 5);
        }
        assertThat(elements.capacity("text")).isEqualTo(Elements.WRONG_TYPE);
        assertThat(elements.capacity(null)).isEqualTo(Elements.WRONG_TYPE);
    }

    static Stream<Datatype> types() {
        return Samples.TYPES.stream();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("typesAndHolders")
    void shouldCopyInPiecesThatEndInsideElements(Datatype type, Samples.Holder holder) {
        for (int piece : new int[] {1, 3, 7, 64}) {
            Object elements = Samples.filled(type, LENGTH, random);
            Object from = holder.make(type, LENGTH);
            Object into = holder.make(type, LENGTH);
            Samples.set(type, from, elements);
            Span out = new Span().set(from, 0, LENGTH, type);
            Span in = new Span().set(into, 0, LENGTH, type);
            int total = (int) out.lengthBytes();

            for (int offset = 0; offset < total; offset += piece) {
                ByteBuffer carrier = ByteBuffer.allocate(Math.min(piece, total - offset));
                out.copyOut(offset, carrier);
                in.copyIn(offset, carrier.flip());
            }

            assertThat(Samples.get(type, into, LENGTH))
                    .as("in pieces of %d", piece)
                    .isEqualTo(elements);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("typesAndHolders")
    void shouldLeaveTheElementsAroundAlone(Datatype type, Samples.Holder holder) {
        Object before = Samples.filled(type, LENGTH, random);
        Object arriving = Samples.filled(type, 20, random);
        Object buffer = holder.make(type, LENGTH);
        Samples.set(type, buffer, before);

        new Span().set(buffer, 10, 20, type).copyIn(0, ByteBuffer.wrap(Samples.encode(type, arriving)));

        Object expected = before;
        System.arraycopy(arriving, 0, expected, 10, 20);
        assertThat(Samples.get(type, buffer, LENGTH)).isEqualTo(expected);
    }

    @Test
    void shouldMoveNeitherPositionNorLimitNorOrder() {
        Buffer buffer =
                ByteBuffer.allocate(64).order(ByteOrder.BIG_ENDIAN).position(3).limit(9);
        ByteBuffer source = ByteBuffer.allocate(32).order(ByteOrder.BIG_ENDIAN);

        new Span().set(buffer, 0, 8, MPI.INT).copyIn(0, source);
        new Span().set(new int[8], 0, 8, MPI.INT).copyIn(0, source.clear());

        assertThat(buffer.position()).isEqualTo(3);
        assertThat(buffer.limit()).isEqualTo(9);
        assertThat(source.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    }

    @Test
    void shouldRefuseBytesOutsideOfTheMessage() {
        Span span = new Span().set(new int[10], 0, 2, MPI.INT);

        assertThatThrownBy(() -> span.copyIn(4, ByteBuffer.allocate(5)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bytes 4 to 9 of a message of 8");
    }

    @Test
    void shouldDescribeAnEmptyMessageOfNoBuffer() {
        Span span = new Span().set(null, 0, 0, MPI.DOUBLE);

        span.copyOut(0, ByteBuffer.allocate(0));
        span.copyIn(0, ByteBuffer.allocate(0));

        assertThat(span.lengthBytes()).isZero();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
