package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that survivors learn of a killed process much sooner than by missing heartbeats, which would take a minute
 * here. {@code -Dexamples.kills} sets how many kills each test has: half of them while all survivors compute and half
 * while they wait.
 */
@Tag("long")
class DeathNoticeIT {
    private static final Pattern KNOWN = Pattern.compile("known everywhere after ([0-9.]+) ms");
    private static final int KILLS = Integer.getInteger("examples.kills", 2);

    @Tag("release")
    @Test
    void shouldBeKnownToThreeSurvivorsAtOnceWhenAProcessOfTheHostIsKilled() {
        shouldBeKnownToAllSurvivorsAtOnce(4, 200);
    }

    @Test
    @Tag("release")
    void shouldBeKnownToSevenSurvivorsAtOnceWhenAProcessOfTheHostIsKilled() {
        shouldBeKnownToAllSurvivorsAtOnce(8, 500);
    }

    private static void shouldBeKnownToAllSurvivorsAtOnce(int ranks, double limitMs) {
        double[] computing = measure(ranks, "computing", KILLS / 2);
        double[] waiting = measure(ranks, "waiting", KILLS - KILLS / 2);
        double[] known = DoubleStream.concat(Arrays.stream(computing), Arrays.stream(waiting))
                .sorted()
                .toArray();
        System.out.printf(
                "%d ranks, %d kills: median %.1f ms, worst %.1f ms; survivors computing %.1f, waiting %.1f ms%n",
                ranks, KILLS, median(known), known[KILLS - 1], median(computing), median(waiting));
        assertThat(median(known)).isLessThanOrEqualTo(limitMs);
    }

    /** Returns the middle value; of an even number of values, the upper of the two in the middle. */
    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }

    private static double[] measure(int ranks, String survivors, int kills) {
        return IntStream.range(0, kills)
                .mapToDouble(kill -> measure(ranks, survivors))
                .sorted()
                .toArray();
    }

    private static double measure(int ranks, String survivors) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(60),
                "-n " + ranks + " --set ulfm.fd.timeout=60s",
                "examples.DeathNotice " + survivors);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        Matcher line = KNOWN.matcher(run.outText());
        assertThat(line.find()).as(run.toString()).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
