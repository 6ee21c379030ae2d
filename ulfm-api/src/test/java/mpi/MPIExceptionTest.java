package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

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
    void shouldSayWhatAFaultSaysOnce() {
        CallError fault = new CallError(ErrorClass.OTHER, new int[0], 0, "send: rank 1 has failed");
        StringWriter trace = new StringWriter();
        new MPIException(MPI.ERR_OTHER, null, null, new int[0], 0, fault).printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString())
                .startsWith("mpi.MPIException: send: rank 1 has failed")
                .containsOnlyOnce("rank 1 has failed")
                .doesNotContain("Caused by");
    }

    @Test
    void shouldSayAfterDeserializationWhatDoesNotBelongToTheProcess() throws Exception {
        MPIException sent = new ProcFailedException("text", null, new int[] {3, 1}, 9, null);
        sent.statuses(new Status[] {null});
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(sent);

        MPIException got =
                (MPIException) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

        assertThat(got).isInstanceOf(ProcFailedException.class).hasMessage("text");
        assertThat(got.getErrorClass()).isEqualTo(sent.getErrorClass());
        assertThat(got.getFailedRanks()).containsExactly(3, 1);
        assertThat(got.getAgreedValue()).isEqualTo(9);
        assertThat(got.getStatuses()).isEmpty();
        assertThat(got.getComm()).isNull();
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
