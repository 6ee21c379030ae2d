package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HeatGridIT {
    private static final Pattern FINISHED =
            Pattern.compile("finished   200 steps on (\\d) ranks: (checksum [0-9a-f]{16})");

    @Test
    void shouldGoOnWithAGridOfTheSurvivorsWhenARankIsKilled() {
        Matcher undisturbed = finished(heat("-n", "2", "examples", "HeatGrid"));
        MpiexecRun run = heat("-n", "4", "--inject", "kill:rank=2@iter=130", "examples", "HeatGrid");

        assertThat(run.deaths()).isEqualTo(1);
        assertThat(run.out())
                .containsSubsequence(
                        "grid       2 x 2 ranks", "recovered  from the death of rank 2", "grid       3 x 1 ranks");
        Matcher disturbed = finished(run);
        assertThat(undisturbed.group(1)).isEqualTo("2");
        assertThat(disturbed.group(1)).isEqualTo("3");
        assertThat(disturbed.group(2)).isEqualTo(undisturbed.group(2));
    }

    private static MpiexecRun heat(String... arguments) {
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(90), arguments);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run;
    }

    private static Matcher finished(MpiexecRun run) {
        Matcher line = FINISHED.matcher(run.out().get(run.out().size() - 1));
        assertThat(line.matches()).as(run.toString()).isTrue();
        return line;
    }
}
