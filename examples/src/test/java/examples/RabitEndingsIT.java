package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests how jobs of the recovery mode end that start slowly, lose all ranks before they compute, fail by a mistake in
 * the program, or have no fault tolerance.
 */
class RabitEndingsIT {
    private static final int LAST_SUM_OF_TWO = 18;

    @Test
    @Tag("release")
    void shouldWaitForAProcessThatReadsItsDataForLongerThanReplacingMayTake() {
        MpiexecRun run = run("2", "slow 4000", "--set", "ulfm.replace.timeout=1s", "--inject", "kill:rank=1@v=5,seq=0");
        requireResult(run);
        assertThat(run.deaths()).as("%s", run).isEqualTo(1);
    }

    @Test
    void shouldEndAndNotStartAgainWhatExitsAfterAnErrorThatAllMeet() {
        MpiexecRun run = run("3", "exits");
        assertThat(run.exitCode()).as("%s", run).isNotZero();
        assertThat(String.join("\n", run.err())).contains("DesyncException").doesNotContain("starting it again");
    }

    @Test
    void shouldBeginAgainWhereAllWereKilledBeforeAnythingWasComputed() {
        MpiexecRun run = run("2", "late 3000", "--inject", "kill:rank=0,1@t=200ms");
        requireResult(run);
        assertThat(run.deaths()).as("%s", run).isEqualTo(2);
        assertThat(run.err()).anyMatch(line -> line.contains("all ranks had died; the program has begun anew"));
    }

    @Test
    void shouldRunWithoutFaultToleranceToTheEnd() {
        MpiexecRun run = run("2", "plain", "--with-ft", "none");
        requireResult(run);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void shouldSayThatNothingRecoversWithoutFaultTolerance() {
        MpiexecRun run = run("2", "slow 0", "--with-ft", "none", "--inject", "kill:rank=1@v=5,seq=0");
        assertThat(run.exitCode()).as("%s", run).isNotZero();
        assertThat(run.out()).as("%s", run).noneMatch(line -> line.contains(" has "));
    }

    private static void requireResult(MpiexecRun run) {
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).as("%s", run).contains("rank 0 has " + LAST_SUM_OF_TWO, "rank 1 has " + LAST_SUM_OF_TWO);
    }

    private static MpiexecRun run(String ranks, String mode, String... options) {
        List<String> words = new ArrayList<>(List.of("-n", ranks, "--timeout", "90"));
        if (!List.of(options).contains("--with-ft")) {
            words.addAll(List.of("--max-restarts", "4"));
        }
        words.addAll(List.of(options));
        words.addAll(List.of("java", "-cp", MpiexecRun.testPrograms(), RabitEndings.class.getName()));
        words.addAll(List.of(mode.split(" ")));
        return MpiexecRun.of(Duration.ofSeconds(100), words.toArray(String[]::new));
    }
}
