package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a whole recovery loop in many schedules; {@code -Dsim.seeds=10000} sets how many seeds are run with each kind
 * of fault, {@code -Dsim.first=…} the first of them.
 */
class RecoverySeedsTest {
    private static final int RANKS = 8;
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 150 : 100);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);
    private static final int THREADS = Integer.getInteger("sim.threads", 2);

    private static Seeds search(String faults, long first) {
        RecoveryLoop[] loops = new RecoveryLoop[(int) SEEDS];
        Seeds seeds = SimWorld.of(RANKS)
                .faults(faults)
                .anyBuffering()
                .runSeeds(
                        first,
                        first + SEEDS - 1,
                        THREADS,
                        seed -> {
                            RecoveryLoop loop = new RecoveryLoop(RANKS);
                            loops[(int) (seed - first)] = loop;
                            return loop::main;
                        },
                        result -> loops[(int) (result.seed() - first)].check(result));
        System.out.println(RANKS + " ranks, faults \"" + faults + "\", seeds from " + first + ": " + seeds);
        return seeds.requireSuccess();
    }

    @Test
    void shouldRecoverFromUpToSevenDeaths() {
        Seeds seeds = search("kill:rank=any(7)@op=*", FIRST);
        assertThat(seeds.deaths()).isGreaterThan(SEEDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "crash:rank=any(3)@frame=random(200)", "vanish:rank=any(2)@op=*"})
    void shouldRecoverFromFaultsOfAllKinds(String faults) {
        search(faults, FIRST);
    }

    /** {@code -Ddrawn.first} sets the first seed, so that the seeds of an earlier build can be run again. */
    @Test
    void shouldRecoverInSchedulesThatNoRunHadBefore() {
        search("random", DRAWN_FIRST);
    }
}
