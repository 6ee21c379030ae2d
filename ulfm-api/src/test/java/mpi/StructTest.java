package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Structs with typed views, as programs write them. */
class StructTest {
    /** A struct with two fields of each kind: one of length 1 and one of length 3. */
    private static final class Every extends Struct {
        private final int byte1 = addByte();
        private final int char1 = addChar();
        private final int short1 = addShort();
        private final int int1 = addInt();
        private final int long1 = addLong();
        private final int float1 = addFloat();
        private final int double1 = addDouble();
        private final int bytes = addByte(3);
        private final int chars = addChar(3);
        private final int shorts = addShort(3);
        private final int ints = addInt(3);
        private final int longs = addLong(3);
        private final int floats = addFloat(3);
        private final int doubles = addDouble(3);

        @Override
        protected Data newData() {
            return new Data();
        }

        private final class Data extends Struct.Data {
            void fill(int seed) {
                putByte(byte1, (byte) seed);
                putChar(char1, (char) (seed + 1));
                putShort(short1, (short) (seed + 2));
                putInt(int1, seed + 3);
                putLong(long1, seed + 4L);
                putFloat(float1, seed + 5.5f);
                putDouble(double1, seed + 6.5);
                for (int i = 0; i < 3; i++) {
                    putByte(bytes, i, (byte) (seed + 7 + i));
                    putChar(chars, i, (char) (seed + 10 + i));
                    putShort(shorts, i, (short) (seed + 20 + i));
                    putInt(ints, i, seed + 30 + i);
                    putLong(longs, i, seed + 40L + i);
                    putFloat(floats, i, seed + 50.5f + i);
                    putDouble(doubles, i, seed + 60.5 + i);
                }
            }

            void requireFilled(int seed) {
                assertThat(getByte(byte1)).isEqualTo((byte) seed);
                assertThat(getChar(char1)).isEqualTo((char) (seed + 1));
                assertThat(getShort(short1)).isEqualTo((short) (seed + 2));
                assertThat(getInt(int1)).isEqualTo(seed + 3);
                assertThat(getLong(long1)).isEqualTo(seed + 4L);
                assertThat(getFloat(float1)).isEqualTo(seed + 5.5f);
                assertThat(getDouble(double1)).isEqualTo(seed + 6.5);
                for (int i = 0; i < 3; i++) {
                    assertThat(getByte(bytes, i)).isEqualTo((byte) (seed + 7 + i));
                    assertThat(getChar(chars, i)).isEqualTo((char) (seed + 10 + i));
                    assertThat(getShort(shorts, i)).isEqualTo((short) (seed + 20 + i));
                    assertThat(getInt(ints, i)).isEqualTo(seed + 30 + i);
                    assertThat(getLong(longs, i)).isEqualTo(seed + 40L + i);
                    assertThat(getFloat(floats, i)).isEqualTo(seed + 50.5f + i);
                    assertThat(getDouble(doubles, i)).isEqualTo(seed + 60.5 + i);
                }
            }
        }
    }

    private static final class Outer extends Struct {
        private final int first = setOffset(4).addInt();
        private final Every every = new Every();
        private final int one = addStruct(every);
        private final int two = addStruct(every, 2);
        private final int pair = addData(MPI.DOUBLE_INT);
        private final int pairs = addData(MPI.DOUBLE_INT, 2);

        @Override
        protected Data newData() {
            return new Data();
        }

        private final class Data extends Struct.Data {
            int first() {
                return getInt(first);
            }

            Every.Data one() {
                return getData(every, one);
            }

            Every.Data two(int index) {
                return getData(every, two, index);
            }

            ByteBuffer pair() {
                return getBuffer(MPI.DOUBLE_INT, pair);
            }

            ByteBuffer pairs(int index) {
                return getBuffer(MPI.DOUBLE_INT, pairs, index);
            }
        }
    }

    private static final int EVERY_BYTES = 29 + 3 * 29;
    /** The extent: {@link #EVERY_BYTES} rounded up to whole doubles, as in a struct of C. */
    private static final int EVERY_EXTENT = 120;

    @Test
    void shouldLayFieldsSideBySide() {
        Every every = new Every();
        assertThat(every.getExtent()).isEqualTo(EVERY_EXTENT);
        Datatype type = every.getType();
        assertThat(type).isSameAs(every.getType());
        assertThat(type.getSize()).isEqualTo(EVERY_BYTES);
        assertThat(type.getExtent()).isEqualTo(EVERY_EXTENT);
        assertThat(every.double1).as("a field is known by its offset").isEqualTo(21);
        assertThat(type.isUsable()).as("committed").isTrue();
        assertThat(type.base()).isSameAs(BaseType.BYTE);
        ByteBuffer buffer = ByteBuffer.allocateDirect(EVERY_EXTENT); // big-endian: the order does not count
        every.<Every.Data>getData(buffer).fill(5);
        buffer.order(ByteOrder.nativeOrder());
        assertThat(buffer.get(0)).isEqualTo((byte) 5);
        assertThat(buffer.getChar(1)).isEqualTo((char) 6);
        assertThat(buffer.getShort(3)).isEqualTo((short) 7);
        assertThat(buffer.getInt(5)).isEqualTo(8);
        assertThat(buffer.getLong(9)).isEqualTo(9);
        assertThat(buffer.getFloat(17)).isEqualTo(10.5f);
        assertThat(buffer.getDouble(21)).isEqualTo(11.5);
        assertThat(buffer.getDouble(EVERY_BYTES - 8)).isEqualTo(67.5);
    }

    @Test
    void shouldReadAndWriteEachKindOfFieldInBuffersAndArrays() {
        Every every = new Every();
        ByteBuffer buffer = MPI.newByteBuffer(3 * EVERY_EXTENT);
        byte[] array = new byte[3 * EVERY_EXTENT];
        every.<Every.Data>getData(buffer).fill(0);
        every.<Every.Data>getData(buffer, 2).fill(70);
        every.<Every.Data>getData(array).fill(0);
        every.<Every.Data>getData(array, 2).fill(70);
        every.<Every.Data>getData(buffer, 0).requireFilled(0);
        every.<Every.Data>getData(buffer, 2).requireFilled(70);
        every.<Every.Data>getData(array, 0).requireFilled(0);
        every.<Every.Data>getData(array, 2).requireFilled(70);
        byte[] copied = new byte[array.length];
        buffer.get(0, copied);
        assertThat(copied).isEqualTo(array);
        assertThat(every.getData(buffer).getBuffer()).isSameAs(buffer);
        ByteBuffer third = every.getData(buffer, 2).getBuffer();
        assertThat(third.get(0)).isEqualTo((byte) 70);
        assertThat(third.capacity()).isEqualTo(EVERY_EXTENT);
    }

    @Test
    void shouldHoldStructsAndItemsOfTypes() {
        Outer outer = new Outer();
        int extent = 8 + 3 * EVERY_EXTENT + 3 * 16;
        assertThat(outer.getExtent()).isEqualTo(extent);
        assertThat(outer.getType().getExtent()).isEqualTo(extent);
        assertThat(outer.getType().getSize()).isEqualTo(4 + 3 * EVERY_BYTES + 3 * 12);
        assertThat(outer.getType().getTrueLb()).isEqualTo(4);
        ByteBuffer buffer = MPI.newByteBuffer(2 * extent);
        Outer.Data second = outer.getData(buffer, 1);
        buffer.putInt(extent + 4, 77);
        assertThat(second.first()).isEqualTo(77);
        second.one().fill(1);
        second.two(0).fill(2);
        second.two(1).fill(3);
        every(outer, buffer, extent + 8, 1);
        every(outer, buffer, extent + 8 + EVERY_EXTENT, 2);
        every(outer, buffer, extent + 8 + 2 * EVERY_EXTENT, 3);
        second.one().requireFilled(1);
        int pairs = extent + 8 + 3 * EVERY_EXTENT;
        buffer.putDouble(pairs, 1.5).putDouble(pairs + 32, 3.5);
        assertThat(second.pair().getDouble(0)).isEqualTo(1.5);
        assertThat(second.pairs(1).getDouble(0)).isEqualTo(3.5);
    }

    private static void every(Outer outer, ByteBuffer buffer, int at, int seed) {
        outer.every.<Every.Data>getData(MPI.slice(buffer.duplicate(), at)).requireFilled(seed);
    }

    @Test
    void shouldViewPairsWhereTheirConstantsHaveThem() {
        ByteBuffer buffer = MPI.newByteBuffer(64);
        Int2.Data ints = MPI.int2.getData(buffer, 1);
        ints.putValue(5);
        ints.putIndex(6);
        assertThat(ints.getValue() + 10 * ints.getIndex()).isEqualTo(65);
        assertThat(buffer.getInt(8) + 10 * buffer.getInt(12)).isEqualTo(65);
        ShortInt.Data shorts = MPI.shortInt.getData(buffer, 2);
        shorts.putValue((short) -5);
        shorts.putIndex(7);
        assertThat(shorts.getValue()).isEqualTo((short) -5);
        assertThat(shorts.getIndex()).isEqualTo(7);
        assertThat(buffer.getShort(16)).isEqualTo((short) -5);
        assertThat(buffer.getInt(20)).isEqualTo(7);
        LongInt.Data longs = MPI.longInt.getData(buffer, 1);
        longs.putValue(1L << 40);
        longs.putIndex(8);
        assertThat(longs.getValue()).isEqualTo(1L << 40);
        assertThat(longs.getIndex()).isEqualTo(8);
        assertThat(buffer.getLong(16)).isEqualTo(1L << 40);
        assertThat(buffer.getInt(24)).isEqualTo(8);
        FloatInt.Data floats = MPI.floatInt.getData(buffer, 3);
        floats.putValue(2.5f);
        floats.putIndex(9);
        assertThat(floats.getValue()).isEqualTo(2.5f);
        assertThat(floats.getIndex()).isEqualTo(9);
        assertThat(buffer.getFloat(24)).isEqualTo(2.5f);
        assertThat(buffer.getInt(28)).isEqualTo(9);
        DoubleInt.Data doubles = MPI.doubleInt.getData(buffer, 3);
        doubles.putValue(3.5);
        doubles.putIndex(10);
        assertThat(doubles.getValue()).isEqualTo(3.5);
        assertThat(doubles.getIndex()).isEqualTo(10);
        assertThat(buffer.getDouble(48)).isEqualTo(3.5);
        assertThat(buffer.getInt(56)).isEqualTo(10);
        assertThat(MPI.int2.getType()).isSameAs(MPI.INT2);
        assertThat(MPI.shortInt.getType()).isSameAs(MPI.SHORT_INT);
        assertThat(MPI.longInt.getType()).isSameAs(MPI.LONG_INT);
        assertThat(MPI.floatInt.getType()).isSameAs(MPI.FLOAT_INT);
        assertThat(MPI.doubleInt.getType()).isSameAs(MPI.DOUBLE_INT);
        for (Struct pair : new Struct[] {MPI.int2, MPI.shortInt, MPI.longInt, MPI.floatInt, MPI.doubleInt}) {
            assertThat(pair.getExtent()).isEqualTo(pair.getType().getExtent());
        }
    }

    /** Fields without views. */
    private static final class Plain extends Struct {
        @Override
        protected Data newData() {
            return new Data();
        }

        private final class Data extends Struct.Data {
            int at(int field, int index) {
                return getInt(field, index);
            }
        }
    }

    @Test
    void shouldRefuseBadArguments() {
        Plain plain = new Plain();
        refused(() -> plain.addInt(-1), MPI.ERR_ARG, "addInt", "length is -1");
        refused(() -> plain.setOffset(-4), MPI.ERR_ARG, "setOffset", "offset is -4");
        refused(() -> plain.addStruct(null), MPI.ERR_ARG, "struct is null");
        refused(() -> plain.addData(null), MPI.ERR_TYPE, "addData", "type is null");
        refused(() -> plain.addData(MPI.DATATYPE_NULL, 2), MPI.ERR_TYPE, "addData");
        refused(() -> plain.addLong(1 << 29), MPI.ERR_COUNT, "addLong", "4294967296 bytes");
        plain.addInt(2);
        refused(() -> plain.setOffset(7), MPI.ERR_ARG, "offset is 7; allowed: 8 to");
        assertThat(plain.addFloat()).isEqualTo(8);
        refused(() -> plain.getData((ByteBuffer) null), MPI.ERR_BUFFER, "getData", "null");
        refused(() -> plain.getData((byte[]) null, 1), MPI.ERR_BUFFER, "getData", "null");
        refused(() -> plain.getData(new byte[23], 1), MPI.ERR_BUFFER, "index is 1", "holds 1 structs of 12 bytes");
        refused(() -> plain.getData(new byte[23], -1), MPI.ERR_BUFFER, "index is -1");
        Plain.Data data = plain.getData(new byte[12]);
        assertThatThrownBy(() -> data.at(2, 0))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("there is no field at 2");
        assertThatThrownBy(() -> data.at(0, 2))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("index is 2 in the field at 0; allowed: 0 to 1");
        refused(() -> data.at(8, 0), MPI.ERR_TYPE, "the field at 8 has type MPI.FLOAT", "not for MPI.INT");
        refused(plain::addByte, MPI.ERR_TYPE, "addByte", "made already");
        refused(() -> plain.setOffset(0), MPI.ERR_TYPE, "setOffset");
    }

    private static void refused(ThrowingCallable call, int errorClass, String... texts) {
        MPIException thrown = catchThrowableOfType(MPIException.class, call);
        assertThat(thrown).as("%s", String.join(", ", texts)).isNotNull().hasMessageContainingAll(texts);
        assertThat(thrown.getErrorClass()).as(thrown.getMessage()).isEqualTo(errorClass);
    }
}
