package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the loss of the last copy of a rank's local model ends the job, because a process that is started again
 * would not find it either.
 */
class LostModelIT {
    @Test
    void shouldAbortTheJobWhenARankDiesWithTheOnlyCopyOfAnothersModel(@TempDir Path directory) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(100),
                "-n 3 -x MEET=" + directory
                        + " --max-restarts 6 --timeout 90 --inject kill:rank=1@v=1,seq=0;kill:rank=2@v=1,seq=0",
                "examples.LostModel ulfm.rabit.local.replicas=1");

        assertThat(run.exitCode()).as("%s", run).isEqualTo(1);
        assertThat(String.join("\n", run.err()))
                .contains("TooManyFailuresException: no rank has the local model of process slot 1 any more")
                .containsPattern("rank [012]('1)? called abort with code 1; ending the job");
        assertThat(run.err().stream().filter(line -> line.contains("starting it again")))
                .as("only those that were killed: %s", run)
                .hasSize(2);
    }
}
