package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MPIExceptionTest {
    @Test
    void shouldBeOfNoSpecialClassWhenAProgramMakesIt() {
        IOException cause = new IOException("disk");

        assertThat(new MPIException("text")).hasMessage("text").hasNoCause();
        assertThat(new MPIException("text").getErrorClass()).isEqualTo(MPI.ERR_OTHER);
        assertThat(new MPIException("text").getErrorCode()).isEqualTo(MPI.ERR_OTHER);
        assertThat(new MPIException("text").initCause(cause)).hasCause(cause);
        assertThat(new MPIException(cause)).hasCause(cause).hasMessageContaining("disk");
    }

    @Test
    void shouldHandOutCopies() {
        MPIException exception = new ProcFailedException("text", null, new int[] {3, 1}, 9, null);
        exception.getFailedRanks()[0] = 7;

        assertThat(exception.getFailedRanks()).containsExactly(3, 1);
        assertThat(exception.getAgreedValue()).isEqualTo(9);
        assertThat(exception.getStatuses()).isEmpty();
        assertThat(exception.getComm()).isNull();
    }
}
