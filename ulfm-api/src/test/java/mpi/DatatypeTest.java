package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests calls on datatypes. The expected numbers are those of Open MPI, unless a comment says otherwise. */
class DatatypeTest {
    private static final int[] ONES = {1, 1};

    private static void means(Datatype type, int size, int lower, int extent, int trueLower, int trueExtent) {
        assertThat(List.of(type.getSize(), type.getLb(), type.getExtent(), type.getTrueLb(), type.getTrueExtent()))
                .as("%s: size, lb, extent, true lb, true extent", type)
                .containsExactly(size, lower, extent, trueLower, trueExtent);
    }

    /** Returns the offsets in memory of the bytes of one item, in the order in which a message has them. */
    private static byte[] places(Datatype type) {
        byte[] memory = new byte[100];
        for (int i = 0; i < memory.length; i++) {
            memory[i] = (byte) i;
        }
        ByteBuffer message = ByteBuffer.allocate((int) type.map().sizeBytes());
        Strided.items(ByteBuffer.wrap(memory), 0, 1, type).copyOut(0, message);
        return message.array();
    }

    @Test
    void shouldCountBaseElementsOfConstants() {
        for (Datatype type : Samples.TYPES) {
            means(type, 1, 0, 1, 0, 1);
        }
        means(MPI.PACKED, 1, 0, 1, 0, 1);
        means(MPI.FLOAT_COMPLEX, 2, 0, 2, 0, 2);
        means(MPI.DOUBLE_COMPLEX, 2, 0, 2, 0, 2);
        means(MPI.INT2, 8, 0, 8, 0, 8);
        means(MPI.SHORT_INT, 6, 0, 8, 0, 8);
        means(MPI.LONG_INT, 12, 0, 16, 0, 12);
        means(MPI.FLOAT_INT, 8, 0, 8, 0, 8);
        means(MPI.DOUBLE_INT, 12, 0, 16, 0, 12);
        assertThat(places(MPI.SHORT_INT)).containsExactly(0, 1, 4, 5, 6, 7);
        assertThat(places(MPI.DOUBLE_INT)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void shouldMakeItemsInARow() {
        means(Datatype.createContiguous(3, MPI.INT), 3, 0, 3, 0, 3);
        means(Datatype.createContiguous(0, MPI.INT), 0, 0, 0, 0, 0);
        means(Datatype.createContiguous(2, MPI.DOUBLE_INT), 24, 0, 32, 0, 28);
        assertThat(places(Datatype.createContiguous(2, MPI.SHORT_INT)))
                .containsExactly(0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15);
    }

    @Test
    void shouldMakeVectorsWithStridesInItemsAndInBytes() {
        means(Datatype.createVector(3, 2, 4, MPI.INT), 6, 0, 10, 0, 10);
        means(Datatype.createVector(2, 1, -3, MPI.INT), 2, -3, 4, -3, 4);
        means(Datatype.createHVector(3, 2, 12, MPI.SHORT), 6, 0, 14, 0, 14);
        assertThat(places(Datatype.createVector(2, 2, 3, MPI.SHORT))).containsExactly(0, 1, 2, 3, 6, 7, 8, 9);
        assertThat(places(Datatype.createHVector(2, 2, 5, MPI.SHORT))).containsExactly(0, 1, 2, 3, 5, 6, 7, 8);
        // The extent is 9 bytes, rounded up to whole ints, which are 3; Open MPI 4.1.4 gives the same.
        means(Datatype.createHVector(2, 1, 5, MPI.INT), 2, 0, 3, 0, 2);
    }

    @Test
    void shouldMakeBlocksAtDisplacementsInItemsAndInBytes() {
        int[] lengths = {2, 0, 1};
        means(Datatype.createIndexed(lengths, new int[] {5, 99, 1}, MPI.INT), 3, 1, 6, 1, 6);
        means(Datatype.createHIndexed(lengths, new int[] {20, 99, 4}, MPI.INT), 3, 1, 6, 1, 6);
        assertThat(places(Datatype.createIndexed(lengths, new int[] {5, 99, 1}, MPI.SHORT)))
                .containsExactly(10, 11, 12, 13, 2, 3);
        assertThat(places(Datatype.createHIndexed(lengths, new int[] {5, 99, 1}, MPI.SHORT)))
                .containsExactly(5, 6, 7, 8, 1, 2);
    }

    @Test
    void shouldMakeStructsOfBytes() {
        Datatype struct =
                Datatype.createStruct(new int[] {1, 2}, new int[] {0, 8}, new Datatype[] {MPI.DOUBLE, MPI.SHORT});
        means(struct, 12, 0, 16, 0, 12);
        assertThat(struct.base()).isSameAs(BaseType.BYTE);
        assertThat(places(struct)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        means(Datatype.createContiguous(2, struct), 24, 0, 32, 0, 28);
    }

    @Test
    void shouldRoundTheExtentOfAStructUpOnceInWhateverOrderItsBlocksAre() {
        // The extent is 8 bytes, from 4 to 12, and is not rounded up. Open MPI 4.1.4 gives 12, because it rounds up
        // with each block that lies before the first one.
        Datatype[] types = {MPI.INT, MPI.BYTE, MPI.BYTE};
        means(Datatype.createStruct(new int[] {1, 1, 1}, new int[] {8, 5, 4}, types), 6, 4, 8, 4, 8);
        Datatype[] reversed = {MPI.BYTE, MPI.BYTE, MPI.INT};
        means(Datatype.createStruct(new int[] {1, 1, 1}, new int[] {4, 5, 8}, reversed), 6, 4, 8, 4, 8);
    }

    @Test
    void shouldKeepTheBoundsThatTheProgramSetsInTypesMadeOfIt() {
        Datatype resized = Datatype.createResized(MPI.INT, -4, 12);
        means(resized, 1, -1, 3, 0, 1);
        means(Datatype.createContiguous(3, resized), 3, -1, 9, 0, 7);
        Datatype struct = Datatype.createStruct(ONES, new int[] {0, 64}, new Datatype[] {resized, MPI.DOUBLE});
        means(struct, 12, -4, 12, 0, 72);
        means(Datatype.createContiguous(3, Datatype.createResized(MPI.INT, 8, -4)), 3, 0, 1, -2, 3);
    }

    @Test
    void shouldSayUndefinedForNumbersBeyondAnInt() {
        Datatype row = Datatype.createContiguous(Integer.MAX_VALUE, MPI.DOUBLE);
        assertThat(row.getSize()).isEqualTo(Integer.MAX_VALUE);
        Datatype rows = Datatype.createContiguous(2, row);
        means(rows, MPI.UNDEFINED, 0, MPI.UNDEFINED, 0, MPI.UNDEFINED);
        refused(
                () -> Datatype.createContiguous(Integer.MAX_VALUE, Datatype.createContiguous(1 << 30, rows)),
                MPI.ERR_COUNT,
                "createContiguous",
                "64 bits");
    }

    @Test
    void shouldTakeNoTableForAMillionRegularBlocks() {
        Datatype regular = Datatype.createVector(1_000_000, 1, 2, MPI.DOUBLE);
        assertThat(regular.map().shape).isInstanceOf(Repetition.class);
        int[] places = new int[1000];
        Arrays.setAll(places, i -> 3 * i);
        int[] ones = new int[1000];
        Arrays.fill(ones, 1);
        assertThat(Datatype.createIndexed(ones, places, MPI.INT).map().shape).isInstanceOf(Repetition.class);
        Arrays.setAll(places, i -> i);
        assertThat(Datatype.createIndexed(ones, places, MPI.INT).isPlain()).isTrue();
        Datatype grid = Datatype.createVector(10, 1, 20, Datatype.createVector(10, 1, 2, MPI.INT));
        assertThat(Datatype.createContiguous(3, Datatype.createContiguous(2, MPI.CHAR))
                        .isPlain())
                .isTrue();
        assertThat(grid.map().items(0, 1)).isInstanceOf(Repetition.class);
    }

    @Test
    void shouldCommitDuplicateAndFree() {
        Datatype type = Datatype.createVector(2, 1, 2, MPI.INT);
        assertThat(type.isUsable()).isFalse();
        assertThat(type.dup().isUsable())
                .as("a duplicate of what is not committed")
                .isFalse();
        type.commit();
        type.commit();
        assertThat(type.isUsable()).isTrue();
        type.setName("every other");
        Datatype duplicate = type.dup();
        Datatype clone = type.clone();
        type.free();
        assertThat(type.isNull()).isTrue();
        assertThat(type.isUsable()).isFalse();
        for (Datatype copy : List.of(duplicate, clone)) {
            assertThat(copy).isNotSameAs(type);
            assertThat(copy.isUsable() && !copy.isNull()).isTrue();
            assertThat(copy.getName()).isEmpty();
            means(copy, 2, 0, 3, 0, 3);
        }
        assertThat(MPI.DATATYPE_NULL.isNull()).isTrue();
        assertThat(MPI.INT.isNull()).isFalse();
        Freeable freeable = duplicate;
        freeable.free();
        assertThat(duplicate.isNull()).isTrue();
        assertThat(clone.isNull()).isFalse();
    }

    @Test
    void shouldKeepNames() {
        assertThat(MPI.INT.getName()).isEqualTo("MPI_INT");
        assertThat(MPI.DOUBLE_INT.getName()).isEqualTo("MPI_DOUBLE_INT");
        Datatype type = Datatype.createContiguous(2, MPI.INT);
        assertThat(type.getName()).isEmpty();
        assertThat(type).hasToString("2 times MPI.INT");
        type.setName("pair");
        assertThat(type.getName()).isEqualTo("pair");
        assertThat(type).hasToString("\"pair\" (2 times MPI.INT)");
        type.setName("x".repeat(99));
        assertThat(type.getName()).hasSize(MPI.MAX_OBJECT_NAME);
    }

    @Test
    void shouldRefuseBadArguments() {
        refused(() -> Datatype.createContiguous(-1, MPI.INT), MPI.ERR_COUNT, "createContiguous", "count is -1");
        refused(() -> Datatype.createContiguous(1, null), MPI.ERR_TYPE, "oldType is null");
        refused(() -> Datatype.createContiguous(1, MPI.DATATYPE_NULL), MPI.ERR_TYPE, "MPI.DATATYPE_NULL");
        refused(() -> Datatype.createVector(-2, 1, 1, MPI.INT), MPI.ERR_COUNT, "createVector", "count is -2");
        refused(() -> Datatype.createVector(1, -3, 1, MPI.INT), MPI.ERR_ARG, "blockLength is -3; allowed: 0");
        refused(() -> Datatype.createVector(1, 1, 1, null), MPI.ERR_TYPE, "createVector");
        refused(() -> Datatype.createHVector(-1, 1, 1, MPI.INT), MPI.ERR_COUNT, "createHVector");
        refused(() -> Datatype.createHVector(1, -1, 1, MPI.INT), MPI.ERR_ARG, "createHVector");
        refused(() -> Datatype.createHVector(1, 1, 1, null), MPI.ERR_TYPE, "createHVector");
        refused(
                () -> Datatype.createIndexed(ONES, new int[1], MPI.INT),
                MPI.ERR_ARG,
                "createIndexed",
                "blockLengths has 2 elements and displacements has 1 elements");
        refused(() -> Datatype.createIndexed(null, ONES, MPI.INT), MPI.ERR_ARG, "blockLengths is null");
        refused(() -> Datatype.createIndexed(ONES, ONES, null), MPI.ERR_TYPE, "createIndexed");
        refused(
                () -> Datatype.createHIndexed(new int[] {1, -1}, ONES, MPI.INT),
                MPI.ERR_ARG,
                "createHIndexed",
                "blockLengths[1] is -1");
        refused(() -> Datatype.createHIndexed(ONES, ONES, null), MPI.ERR_TYPE, "createHIndexed");
        refused(() -> Datatype.createStruct(ONES, ONES, null), MPI.ERR_ARG, "createStruct", "types is null");
        refused(
                () -> Datatype.createStruct(ONES, ONES, new Datatype[] {MPI.INT, null}),
                MPI.ERR_TYPE,
                "types[1] is null");
        refused(() -> Datatype.createResized(null, 0, 4), MPI.ERR_TYPE, "createResized");
        refused(MPI.INT::free, MPI.ERR_TYPE, "free", "MPI.INT is a constant");
        refused(() -> Datatype.createContiguous(1, MPI.INT).setName(null), MPI.ERR_ARG, "name is null");
    }

    @Test
    void shouldRefuseEveryCallOnAFreedType() {
        Datatype freed = Datatype.createContiguous(1, MPI.INT);
        freed.free();
        List<ThrowingCallable> calls = List.of(
                freed::getSize,
                freed::getLb,
                freed::getExtent,
                freed::getTrueLb,
                freed::getTrueExtent,
                freed::commit,
                freed::free,
                freed::dup,
                freed::clone,
                freed::getName,
                () -> freed.setName("x"),
                () -> Datatype.createContiguous(1, freed),
                () -> new Status(0, 0, 0, 4).getCount(freed),
                () -> new Status(0, 0, 0, 4).getElements(freed),
                () -> new Status(0, 0, 0, 4).getElementsX(freed));
        for (ThrowingCallable call : calls) {
            refused(call, MPI.ERR_TYPE, "1 times MPI.INT");
        }
        refused(MPI.DATATYPE_NULL::getExtent, MPI.ERR_TYPE, "getExtent", "MPI.DATATYPE_NULL");
    }

    @Test
    void shouldCountItemsAndElementsOfAMessage() {
        Datatype three = Datatype.createContiguous(3, MPI.INT);
        Status status = new Status(0, 0, 0, 20);
        assertThat(status.getCount(three)).isEqualTo(MPI.UNDEFINED);
        assertThat(status.getElements(three)).isEqualTo(5);
        assertThat(status.getElements(MPI.SHORT)).isEqualTo(10);
        assertThat(status.getElements(MPI.LONG)).isEqualTo(MPI.UNDEFINED);
        assertThat(new Status(0, 0, 0, 24).getCount(three)).isEqualTo(2);
        // A pair has two elements, as a struct of two has (MPI 3.1 section 5.9.4). Open MPI 4.1.4 counts one where the
        // pair is used by itself, and two where it is in a derived type.
        assertThat(new Status(0, 0, 0, 12).getElements(MPI.DOUBLE_INT)).isEqualTo(2);
        assertThat(new Status(0, 0, 0, 20).getElements(Datatype.createContiguous(2, MPI.DOUBLE_INT)))
                .isEqualTo(3);
        assertThat(new Status(0, 0, 0, 16).getElements(MPI.DOUBLE_COMPLEX)).isEqualTo(1);
        assertThat(new Status(0, 0, 0, 8).getElements(MPI.DOUBLE_COMPLEX)).isEqualTo(MPI.UNDEFINED);
        Status large = new Status(0, 0, 0, 1L << 33);
        assertThat(large.getElements(MPI.SHORT)).isEqualTo(MPI.UNDEFINED);
        assertThat(large.getElementsX(MPI.SHORT).getCount()).isEqualTo(1L << 32);
        Datatype none = Datatype.createContiguous(0, MPI.INT);
        assertThat(new Status(0, 0, 0, 0).getCount(none)).isZero();
        assertThat(new Status(0, 0, 0, 4).getCount(none)).isEqualTo(MPI.UNDEFINED);
        assertThat(new Status(0, 0, 0, 4).getElements(none)).isEqualTo(MPI.UNDEFINED);
        refused(() -> status.getElements(null), MPI.ERR_TYPE, "getElements");
    }

    @Test
    void shouldCountBeyondAnInt() {
        Count count = new Count(1L << 40);
        assertThat(count.getCount()).isEqualTo(1L << 40);
        assertThat(count)
                .isEqualTo(new Count(1L << 40))
                .isNotEqualTo(new Count(1))
                .hasSameHashCodeAs(new Count(1L << 40));
        count.setCount(7);
        assertThat(count.getCount()).isEqualTo(7);
        assertThat(count.compareTo(new Count(8))).isNegative();
        assertThat(count.compareTo(new Count(6))).isPositive();
        assertThat(count.compareTo(new Count(7))).isZero();
        assertThat(count).hasToString("7");
    }

    private static void refused(ThrowingCallable call, int errorClass, String... texts) {
        MPIException thrown = catchThrowableOfType(MPIException.class, call);
        assertThat(thrown).as("%s", String.join(", ", texts)).isNotNull().hasMessageContainingAll(texts);
        assertThat(thrown.getErrorClass()).as(thrown.getMessage()).isEqualTo(errorClass);
    }
}
