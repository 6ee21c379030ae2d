package org.ulfmj.testkit;

import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Runs the random programs of {@link RecoverySwarmTest} and {@link RequestSwarmTest} in simulated time under faults;
 * those tests run them over ranks that are threads. {@code -Dsim.seeds=…} sets how many seeds each program runs per
 * number of ranks, {@code -Dsim.first=…} the first of them; one of the tests takes {@code -Ddrawn.first=…} instead.
 */
class SimulatedSwarmsTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 40 : 30);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);
    private static final int THREADS = Integer.getInteger("sim.threads", 2);

    @Test
    void shouldFinishRandomWorkWithTheRanksThatAreLeft() {
        for (int ranks : new int[] {2, 5}) {
            finish(ranks, FIRST);
        }
    }

    /** {@code -Ddrawn.first} sets the first seed, so that the seeds of an earlier build can be run again. */
    @Test
    void shouldFinishRandomWorkThatNoRunHadBefore() {
        System.out.println("drawn seeds: -Ddrawn.first=" + DRAWN_FIRST);
        finish(4, DRAWN_FIRST);
    }

    private static void finish(int ranks, long first) {
        SimWorld.of(ranks)
                .faults("random")
                .anyBuffering()
                .runSeeds(first, first + SEEDS - 1, THREADS, RecoverySwarmTest::swarm, result -> result.ends()
                        .requireSurvivorsSucceeded())
                .requireSuccess();
    }

    @Test
    void shouldEndEveryRequestOfRandomPrograms() {
        SimWorld.of(4)
                // Rank 0, whose revocation ends the program, never dies.
                .faults("kill:rank=1,2@op=*; crash:rank=3@frame=random; pause:rank=1@op=*")
                .anyBuffering()
                .runSeeds(FIRST, FIRST + SEEDS - 1, THREADS, RequestSwarmTest::swarm, result -> result.ends()
                        .requireSurvivorsSucceeded())
                .requireSuccess();
    }
}
