package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests real processes of which one, in the middle of collectives through shared memory, is stopped and then declared
 * failed, or is killed.
 */
@Tag("long")
class StoppedInCollectivesIT {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final String TIMEOUT = "2s";

    @ParameterizedTest
    @CsvSource({"0, stop", "1, kill"})
    void shouldNotChangeAByteAfterwardsAndGoOnRightly(int number, String mode) {
        int delayMs = new SplittableRandom(SEED + number).nextInt(0, 200);
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(120),
                "-n 4 --timeout 100 --set ulfm.transport=shm --print-all-exitcodes --set ulfm.fd.timeout="
                        + (mode.equals("stop") ? TIMEOUT : "60s"),
                "examples.StoppedInCollectives " + mode + " " + delayMs);

        assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED, run).isZero();
        assertThat(run.out())
                .filteredOn(line -> line.endsWith("buffers unchanged, right with 2 of them left"))
                .as("-Dseed=%d: %s", SEED, run)
                .hasSize(2);
        assertThat(run.outText()).as("%s", run).contains("ended true");
        assertThat(run.err()).as("%s", run).contains("mpiexec: rank 2: 137");
    }
}
