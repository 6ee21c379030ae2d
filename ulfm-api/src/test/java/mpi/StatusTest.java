package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class StatusTest {
    @Test
    void shouldCountWholeItemsOnly() {
        Status status = new Status(1, 2, MPI.SUCCESS, 24);

        assertThat(status.getCount(MPI.DOUBLE)).isEqualTo(3);
        assertThat(status.getCount(MPI.INT)).isEqualTo(6);
        assertThat(status.getCount(MPI.BYTE)).isEqualTo(24);
        assertThat(new Status(1, 2, MPI.SUCCESS, 20).getCount(MPI.DOUBLE)).isEqualTo(MPI.UNDEFINED);
        assertThat(new Status(1, 2, MPI.SUCCESS, 1L << 32).getCount(MPI.BYTE)).isEqualTo(MPI.UNDEFINED);
        assertThat(new Status(1, 2, MPI.SUCCESS, 1L << 32).getCount(MPI.INT)).isEqualTo(1 << 30);
    }

    @Test
    void shouldDescribeAMessageFromNoRank() {
        Status status = Status.ofNoProcess();

        assertThat(status.getSource()).isEqualTo(MPI.PROC_NULL);
        assertThat(status.getTag()).isEqualTo(MPI.ANY_TAG);
        assertThat(status.getCount(MPI.INT)).isZero();
        assertThat(status.isCancelled()).isFalse();
    }

    @Test
    void shouldBeReadable() {
        assertThat(new Status(1, 7, MPI.SUCCESS, 8)).hasToString("source 1, tag 7, 8 bytes");
        assertThat(new Status(1, 7, MPI.ERR_TRUNCATE, 8))
                .hasToString("source 1, tag 7, 8 bytes, error class " + MPI.ERR_TRUNCATE);
        assertThat(Status.ofNoProcess()).hasToString("source PROC_NULL, tag ANY_TAG, 0 bytes");
        assertThat(Status.empty(0)).hasToString("source ANY_SOURCE, tag ANY_TAG, 0 bytes");
    }

    @Test
    void shouldSayWhatTheProgramSets() {
        Status status = new Status(1, 2, MPI.SUCCESS, 24);
        status.setElements(MPI.INT, 5);
        assertThat(status.getCount(MPI.INT)).isEqualTo(5);
        assertThat(status.getCount(MPI.BYTE)).isEqualTo(20);
        assertThat(status.getCount(MPI.DOUBLE)).isEqualTo(MPI.UNDEFINED);
        status.setElementsX(MPI.LONG, new Count(1L << 30));
        assertThat(status.getCount(MPI.LONG)).isEqualTo(1 << 30);
        assertThat(status.getCount(MPI.BYTE)).isEqualTo(MPI.UNDEFINED);
        status.setElements(MPI.BYTE, 0);
        assertThat(status.getCount(MPI.INT)).isZero();
        assertThat(status.getSource()).isEqualTo(1);
        status.setCancelled(true);
        assertThat(status.isCancelled()).isTrue();
        status.setCancelled(false);
        assertThat(status.isCancelled()).isFalse();
        assertThat(Status.empty(0).isCancelled()).as("another status").isFalse();
    }

    @Test
    void shouldSetElementsOfTypesWithElementsOfSeveralSizes() {
        Datatype type = Datatype.createStruct(new int[] {1, 2}, new int[] {0, 8}, new Datatype[] {MPI.LONG, MPI.INT});
        Status status = Status.ofNoProcess();
        for (int count = 0; count <= 7; count++) {
            status.setElements(type, count);
            assertThat(status.getElements(type)).isEqualTo(count);
            assertThat(status.getCount(type)).isEqualTo(count % 3 == 0 ? count / 3 : MPI.UNDEFINED);
            int[] bytes = {0, 8, 12};
            assertThat(status.getCount(MPI.BYTE)).isEqualTo(count / 3 * 16 + bytes[count % 3]);
        }
        Datatype none = Datatype.createContiguous(0, MPI.INT);
        status.setElements(none, 0);
        assertThat(status.getCount(MPI.BYTE)).isZero();
        refused(MPI.ERR_COUNT, "Status.setElements: count is 1; allowed: 0 to 0", () -> status.setElements(none, 1));
    }

    @Test
    void shouldRefuseElementsThatNoMessageHas() {
        Status status = Status.ofNoProcess();
        refused(MPI.ERR_COUNT, "Status.setElements: count is -1; allowed: 0 to", () -> status.setElements(MPI.INT, -1));
        refused(
                MPI.ERR_COUNT,
                "Status.setElementsX: count is " + Long.MAX_VALUE,
                () -> status.setElementsX(MPI.INT, new Count(Long.MAX_VALUE)));
        refused(MPI.ERR_COUNT, "Status.setElementsX: count is null", () -> status.setElementsX(MPI.INT, null));
        refused(MPI.ERR_TYPE, "Status.setElements: type is null", () -> status.setElements(null, 1));
        refused(
                MPI.ERR_TYPE,
                "Status.setElementsX: type is MPI.DATATYPE_NULL",
                () -> status.setElementsX(MPI.DATATYPE_NULL, new Count(1)));
    }

    private static void refused(int errorClass, String start, ThrowingCallable call) {
        MPIException refusal = catchThrowableOfType(MPIException.class, call);
        assertThat(refusal).hasMessageStartingWith(start);
        assertThat(refusal.getErrorClass()).isEqualTo(errorClass);
    }

    @Test
    void shouldNameTheMissingType() {
        Status status = Status.ofNoProcess();

        for (Datatype type : new Datatype[] {null, MPI.DATATYPE_NULL}) {
            MPIException thrown = catchThrowableOfType(MPIException.class, () -> status.getCount(type));
            assertThat(thrown).hasMessageContaining("type is " + type);
            assertThat(thrown.getErrorClass()).isEqualTo(MPI.ERR_TYPE);
        }
    }

    @Test
    void shouldCountSizesInBaseElements() {
        for (Datatype type : Samples.TYPES) {
            assertThat(type.getSize()).isEqualTo(1);
        }
        assertThat(catchThrowableOfType(MPIException.class, MPI.DATATYPE_NULL::getSize)
                        .getErrorClass())
                .isEqualTo(MPI.ERR_TYPE);
    }
}
