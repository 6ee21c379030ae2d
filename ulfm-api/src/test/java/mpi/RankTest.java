package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RankTest {
    @Test
    void shouldStartWithExceptionsUnderFaultToleranceOnly() {
        assertThat(Rank.initialErrorHandler(null, true)).isSameAs(MPI.ERRORS_RETURN);
        assertThat(Rank.initialErrorHandler(null, false)).isSameAs(MPI.ERRORS_ARE_FATAL);
    }

    @Test
    void shouldStartWithTheHandlerThatTheOptionNames() {
        for (boolean faultTolerance : new boolean[] {true, false}) {
            assertThat(Rank.initialErrorHandler("mpi_errors_return", faultTolerance))
                    .isSameAs(MPI.ERRORS_RETURN);
            assertThat(Rank.initialErrorHandler("mpi_errors_abort", faultTolerance))
                    .isSameAs(MPI.ERRORS_ABORT);
            assertThat(Rank.initialErrorHandler("mpi_errors_are_fatal", faultTolerance))
                    .isSameAs(MPI.ERRORS_ARE_FATAL);
        }
        assertThatThrownBy(() -> Rank.initialErrorHandler("fatal", true))
                .hasMessage("ulfm.initial.errhandler is fatal; allowed: mpi_errors_return, mpi_errors_abort,"
                        + " mpi_errors_are_fatal");
    }
}
