package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The shipped protocol classes through a slice of the seeded schedules; {@code bin/ulfm-sim run} runs as many as one likes,
 * and so does {@code -Dulfm.sim.seeds=1..1000000}.
 */
class SwarmTest {
    private static final SeedRange RANKS = new SeedRange(2, 16);
    private static final int THREADS = 2;

    @Test
    void shouldBreakNoInvariantWhenSchedulesAreDrawnFromManySeeds() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..25000"));
        List<Scenario> shipped = Scenarios.all().stream()
                .filter(scenario -> !(scenario instanceof FloodScenario))
                .toList();
        SeedReport report = new SeedRun(shipped, RANKS, seeds).run(THREADS);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
        assertThat(report.schedules()).isEqualTo(seeds.size());
    }
}
