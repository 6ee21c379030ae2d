package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests TCP connections lost between live ranks: a program may not notice, unless the job has no fault tolerance. */
class LostLinksIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern ROUNDS = Pattern.compile("(\\d+) rounds in (\\d+) ms");
    /** The default of ulfm.link.buffer. */
    private static final int LINK_BUFFER_MIB = 64;

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
    void shouldDoHalfOfTheRoundsUnderResetsForLonger(int ranks) {
        double undisturbed = roundsPerSecond(shouldRunThrough(ranks, "", "20000"));
        double disturbed = roundsPerSecond(shouldRunThrough(ranks, "--set ulfm.inject.reset=100ms", "20000"));
        System.out.printf(
                "%d ranks: %.1f rounds per second, %.1f while links are reset%n", ranks, undisturbed, disturbed);
        assertThat(disturbed).isGreaterThanOrEqualTo(undisturbed / 2);
    }

    private static double roundsPerSecond(MpiexecRun run) {
        for (String line : run.out()) {
            Matcher rounds = ROUNDS.matcher(line);
            if (rounds.matches()) {
                return 1e3 * Double.parseDouble(rounds.group(1)) / Double.parseDouble(rounds.group(2));
            }
        }
        throw new AssertionError("no rounds: " + run);
    }

    @Tag("release")
    @Test
    void shouldNotNoticeThatNothingPassesInTheMiddleOfALongMessage() {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                LIMIT, "-n 2 " + TCP + " --set ulfm.inject.blackhole=2s", "examples.LongTransfers one 4000");
        shouldBeRight(run, 2);
    }

    /** While a gibibyte is sent to a peer out of reach, the sender's direct memory grows by less than 80 MiB. */
    @Tag("release")
    @Test
    void shouldKeepNoMoreThanTheBufferOfAGibibyteForAPeerOutOfReach() {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                LIMIT, "-n 2 " + TCP + " --set ulfm.inject.blackhole=2500ms", "examples.LongTransfers many 300");
        shouldBeRight(run, 2);
        Matcher memory = Pattern.compile("direct memory: (\\d+) MiB more, .*")
                .matcher(run.out().stream()
                        .filter(line -> line.startsWith("direct memory"))
                        .findFirst()
                        .orElse(""));
        assertThat(memory.matches()).as(run.toString()).isTrue();
        System.out.println(memory.group());
        assertThat(Integer.parseInt(memory.group(1))).as(run.toString()).isLessThan(LINK_BUFFER_MIB + 16);
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

    private static MpiexecRun shouldRunThrough(int ranks, String fault, String arguments) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                LIMIT, ("-n " + ranks + " " + TCP + " " + fault).strip(), "examples.LostLinks " + arguments);
        shouldBeRight(run, ranks);
        return run;
    }

    private static void shouldBeRight(MpiexecRun run, int ranks) {
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.err()).as(run.toString()).isEmpty();
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(run.out()).as(run.toString()).contains("rank " + rank + ": all right, failed 0");
        }
    }
}
