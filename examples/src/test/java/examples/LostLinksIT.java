package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TCP connections that are lost between ranks that live: no program notices. */
class LostLinksIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String TCP = "--set ulfm.transport=tcp --set ulfm.inject.after=200ms";

    @Test
    void shouldNotNoticeThatConnectionsAreResetAllTheTime() {
        shouldRunThrough(4, "--set ulfm.inject.reset=100ms", "3000");
    }

    @Test
    void shouldNotNoticeThatNothingPassesForTwoSeconds() {
        shouldRunThrough(2, "--set ulfm.inject.blackhole=2s", "2500");
    }

    @Tag("release")
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void shouldNotNoticeResetsForLonger(int ranks) {
        shouldRunThrough(ranks, "--set ulfm.inject.reset=100ms", "20000");
    }

    @Tag("release")
    @Test
    void shouldNotNoticeThatNothingPassesOnIdleLinks() {
        shouldRunThrough(4, "--set ulfm.inject.blackhole=2s", "3000 idle");
    }

    @Test
    void shouldEndTheJobAndNameBothRanksWithoutFaultTolerance() {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                LIMIT,
                "-n 2 --with-ft none --set ulfm.fd.timeout=2s --set ulfm.inject.blackhole=1h " + TCP,
                "examples.LostLinks 1000000");
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(1);
        assertThat(run.err())
                .as(run.toString())
                .anyMatch(line -> line.matches("rank (0 cannot reach rank 1|1 cannot reach rank 0): nothing has passed"
                        + " between them for 1200 ms \\(ulfm\\.link\\.budget\\), and the job has no fault tolerance"));
    }

    private static void shouldRunThrough(int ranks, String fault, String arguments) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                LIMIT, "-n " + ranks + " " + TCP + " " + fault, "examples.LostLinks " + arguments);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.err()).as(run.toString()).isEmpty();
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(run.out()).as(run.toString()).contains("rank " + rank + ": all right, failed 0");
        }
    }
}
