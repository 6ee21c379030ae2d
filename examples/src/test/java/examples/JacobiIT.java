package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class JacobiIT {
    private static final Pattern FINISHED =
            Pattern.compile("finished   2000 steps on (\\d) ranks?: (mean [0-9.]+ degrees, checksum [0-9a-f]{16})");

    @Test
    void shouldGiveTheSamePlateToTheLastBitWhenTwoRanksAreKilled() {
        Matcher undisturbed = finished(jacobi("-n", "4", "examples", "Jacobi"));
        MpiexecRun run =
                jacobi("-n", "4", "--inject", "kill:rank=1@iter=815; kill:rank=2@iter=1438", "examples", "Jacobi");

        // The step is that at which a neighbour of the dead rank was stopped: in the step of the death or, by another
        // rank's revocation, in the step before.
        assertThat(run.outText())
                .containsPattern("recovered  from the death of rank 1: back from step 81[34] to 800")
                .containsPattern("recovered  from the death of rank 2: back from step 143[67] to 1420");
        Matcher disturbed = finished(run);
        assertThat(undisturbed.group(1)).isEqualTo("4");
        assertThat(disturbed.group(1)).isEqualTo("2");
        assertThat(disturbed.group(2)).isEqualTo(undisturbed.group(2));
    }

    private static MpiexecRun jacobi(String... arguments) {
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
