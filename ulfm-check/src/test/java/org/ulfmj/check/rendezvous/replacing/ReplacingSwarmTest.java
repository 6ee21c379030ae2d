package org.ulfmj.check.rendezvous.replacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * Newcomers and spares through many seeded schedules. With {@code -Dulfm.sim.seeds=1..1000000} the test that is tagged
 * long runs others.
 */
class ReplacingSwarmTest {
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);
    private static final boolean WHOLE = Boolean.getBoolean("tests.whole");
    private static final int DRAWN = WHOLE ? 5_000 : 1_000;

    @Test
    void shouldGiveEveryNewcomerItsPlaceOrTheReasonInSchedulesThatNoRunHadBefore() throws InterruptedException {
        System.out.println("drawn seeds: -Ddrawn.first=" + DRAWN_FIRST);
        assertThat(run(new SeedRange(DRAWN_FIRST, DRAWN_FIRST + DRAWN - 1)).failures())
                .isEmpty();
    }

    @Test
    void shouldGiveEveryNewcomerItsPlaceOrTheReasonInSchedulesOfFixedSeeds() throws InterruptedException {
        assertThat(run(new SeedRange(1, 2_000)).failures()).isEmpty();
    }

    @Tag("long")
    @Test
    void shouldGiveEveryNewcomerItsPlaceOrTheReasonInSchedulesThatCoverAllThatMayHappen() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..10000"));
        SeedReport report = run(seeds);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }

    private static SeedReport run(SeedRange seeds) throws InterruptedException {
        SeedReport report = new SeedRun(Scenarios.named("newcomers"), new SeedRange(1, 6), seeds).run(2);
        System.out.println(report);
        return report;
    }
}
