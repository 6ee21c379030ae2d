package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heartbeat alone would need a minute here; how many kills is set by {@code -Dexamples.kills}. */
class DeathNoticeIT {
    private static final Pattern KNOWN = Pattern.compile("known everywhere after ([0-9.]+) ms");
    private static final int KILLS = Integer.getInteger("examples.kills", 3);
    /** 50 ms on an idle machine; a loaded one must still be far from what the heartbeat would need. */
    private static final double MEDIAN_LIMIT_MS = Double.parseDouble(System.getProperty("examples.medianMs", "500"));

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void shouldBeKnownToAllSurvivorsAtOnceWhenAProcessOfTheHostIsKilled(int ranks) {
        double[] known = IntStream.range(0, KILLS)
                .mapToDouble(kill -> measure(ranks))
                .sorted()
                .toArray();
        System.out.printf(
                "%d ranks, %d kills: median %.1f ms, worst %.1f ms%n",
                ranks, KILLS, known[KILLS / 2], known[KILLS - 1]);
        assertThat(known[KILLS / 2]).isLessThanOrEqualTo(MEDIAN_LIMIT_MS);
    }

    private static double measure(int ranks) {
        MpiexecRun run = MpiexecRun.of(
                Duration.ofSeconds(60),
                "-n",
                Integer.toString(ranks),
                "--set",
                "ulfm.fd.timeout=60s",
                "java",
                "-cp",
                MpiexecRun.testPrograms(),
                "examples.DeathNotice");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        Matcher line = KNOWN.matcher(run.outText());
        assertThat(line.find()).as(run.toString()).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
