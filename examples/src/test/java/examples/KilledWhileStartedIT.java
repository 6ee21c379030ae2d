package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that real processes with non-blocking collectives under way go on when one of the processes is killed. */
@Tag("long")
class KilledWhileStartedIT {
    @ParameterizedTest
    @ValueSource(strings = {"kill:rank=1@op=iallreduce#41", "kill:rank=0@op=waitfor#random(150)"})
    void shouldGoOnWithRightResultsWithoutTheRankThatIsKilled(String kill) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(100), "-n 3 --timeout 90 --inject " + kill, "examples.KilledWhileStarted");

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).as("%s", run).hasSize(2).allMatch(line -> line.equals("failures 1, right on 2"));
    }
}
