package org.ulfmj.check.rendezvous.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** Elastic worlds on several hosts through many seeded schedules. {@code -Dulfm.sim.seeds=1..1000000} runs others. */
class ElasticHostsSwarmTest {
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);

    @Test
    void shouldLetNoProcessOutliveItsLeaseInSchedulesThatNoRunHadBefore() throws InterruptedException {
        System.out.println("drawn seeds: -Ddrawn.first=" + DRAWN_FIRST);
        assertThat(run(new SeedRange(DRAWN_FIRST, DRAWN_FIRST + 499)).failures())
                .isEmpty();
    }

    @Tag("long")
    @Test
    void shouldLetNoProcessOutliveItsLeaseInSchedulesThatCoverAllThatMayHappen() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..4000"));
        SeedReport report = run(seeds);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }

    private static SeedReport run(SeedRange seeds) throws InterruptedException {
        SeedReport report = new SeedRun(Scenarios.named("elastic-hosts"), new SeedRange(2, 6), seeds).run(2);
        System.out.println(report);
        return report;
    }
}
