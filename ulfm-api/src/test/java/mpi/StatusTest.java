package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
    void shouldDescribeAMessageFromNobody() {
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
        assertThat(Status.EMPTY).hasToString("source ANY_SOURCE, tag ANY_TAG, 0 bytes");
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
