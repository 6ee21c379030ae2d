package org.ulfmj.check.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * Worlds that grow and shrink, on one host and on several, and jobs whose coordinator is elected, through many seeded
 * schedules. The test that is tagged long runs others with {@code -Dulfm.sim.seeds=1..1000000}.
 */
class DrawnSwarmTest {
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);

    @ParameterizedTest
    @ValueSource(strings = {"elastic", "elastic-hosts", "elected", "elected-elastic"})
    void shouldKeepAllInvariantsInSchedulesThatNoRunHadBefore(String scenario) throws InterruptedException {
        System.out.println("drawn seeds: -Ddrawn.first=" + DRAWN_FIRST);
        assertThat(run(scenario, new SeedRange(DRAWN_FIRST, DRAWN_FIRST + 499)).failures())
                .isEmpty();
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"elastic", "elastic-hosts", "elected", "elected-elastic"})
    void shouldKeepAllInvariantsInSchedulesThatCoverAllThatMayHappen(String scenario) throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..4000"));
        SeedReport report = run(scenario, seeds);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }

    private static SeedReport run(String scenario, SeedRange seeds) throws InterruptedException {
        SeedReport report = new SeedRun(Scenarios.named(scenario), new SeedRange(2, 6), seeds).run(2);
        System.out.println(report);
        return report;
    }
}
