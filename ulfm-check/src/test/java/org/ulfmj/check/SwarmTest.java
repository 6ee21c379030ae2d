package org.ulfmj.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * Runs the shipped protocol classes, apart from the rendezvous, through a part of the seeded schedules.
 * {@code bin/ulfm-sim run} runs any other number, as does the test that is tagged long, with
 * {@code -Dulfm.sim.seeds=1..1000000}.
 */
class SwarmTest {
    private static final SeedRange RANKS = new SeedRange(2, 16);
    private static final int THREADS = 2;
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);
    private static final boolean WHOLE = Boolean.getBoolean("tests.whole");
    private static final int DRAWN = 1_000;

    @Test
    void shouldBreakNoInvariantInSchedulesOfFixedSeeds() throws InterruptedException {
        assumeThat(WHOLE).as("the same seeds are among those that cover all").isFalse();
        run(new SeedRange(1, 1_000));
    }

    @Tag("long")
    @Test
    void shouldBreakNoInvariantInSchedulesThatCoverAllThatMayHappen() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..5000"));
        assertThat(run(seeds).coverage().missing()).isEmpty();
    }

    @Test
    void shouldBreakNoInvariantInSchedulesThatNoRunHadBefore() throws InterruptedException {
        System.out.println("drawn seeds: -Ddrawn.first=" + DRAWN_FIRST);
        run(new SeedRange(DRAWN_FIRST, DRAWN_FIRST + DRAWN - 1));
    }

    /** Returns all scenarios but those of the rendezvous, which have separate swarms. */
    private static List<Scenario> scenarios() {
        return Scenarios.all().stream()
                .filter(scenario -> !scenario.getClass().getPackageName().contains(".rendezvous."))
                .toList();
    }

    private static SeedReport run(SeedRange seeds) throws InterruptedException {
        SeedReport report = new SeedRun(scenarios(), RANKS, seeds).run(THREADS);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.schedules()).isEqualTo(seeds.size());
        return report;
    }
}
