package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TaskFarmIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void shouldDoAllPiecesWhenWorkersAreKilled() {
        // Both victims die with their first piece, since a slow worker may get no second one.
        MpiexecRun run = MpiexecRun.of(
                LIMIT, "-n", "5", "--inject", "kill:rank=2@iter=1; kill:rank=4@op=send#1", "examples", "TaskFarm");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out()).contains("finished   664,579 primes below 10,000,000");
        assertThat(run.out())
                .filteredOn(line -> line.matches("lost +rank [24] with piece \\d+ in hand: posted again"))
                .hasSize(2);
    }

    @Test
    void shouldEndTheJobAndSayWhyOnceWhenTheManagerIsKilled() {
        MpiexecRun run = MpiexecRun.of(LIMIT, "-n", "4", "--inject", "kill:rank=0@op=recv#9", "examples", "TaskFarm");
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(TaskFarm.MANAGER_DIED);
        assertThat(run.err())
                .filteredOn(line -> line.startsWith("TaskFarm: the manager, rank 0, has died"))
                .hasSize(1);
        assertThat(run.err()).noneMatch(line -> line.contains("Exception"));
    }
}
