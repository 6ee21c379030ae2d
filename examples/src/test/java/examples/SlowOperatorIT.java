package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that a rank whose user-defined operator runs for a long time still sends heartbeats, so that no rank marks it
 * failed.
 */
@Tag("long")
class SlowOperatorIT {
    @Test
    void shouldNotSuspectARankWhoseOperatorSleepsThreeTimeouts() {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(100), "-n 3 --timeout 90 --set ulfm.fd.timeout=1s", "examples.SlowOperator PT3S");

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).hasSize(3).allMatch(line -> line.matches("rank \\d slept [3-9]\\d{3} ms, failures 0"));
        assertThat(run.err()).as("what mpiexec has to tell").isEmpty();
    }
}
