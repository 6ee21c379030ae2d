package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/** Tests messages that are taken by matched probes, or buffered, when a process dies, on real processes. */
class KeptMessagesIT {
    @Test
    void shouldReceiveWhatHadComeWholeAndWaitForNothingElseWhenTheSenderIsKilled() {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(60), "-n 3 --inject kill:rank=1@iter=1", "examples.KeptMessages");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .containsExactly("whole 5", "announced " + MPI.ERR_PROC_FAILED, "bSend " + MPI.ERR_PROC_FAILED);
    }
}
