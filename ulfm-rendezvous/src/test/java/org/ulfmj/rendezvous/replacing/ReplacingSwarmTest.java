package org.ulfmj.rendezvous.replacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** Newcomers and spares through many seeded schedules. {@code -Dulfm.sim.seeds=1..1000000} runs others. */
class ReplacingSwarmTest {
    @Test
    void shouldGiveEveryNewcomerItsPlaceOrTheReasonInEverySchedule() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..10000"));
        SeedReport report = new SeedRun(Scenarios.named("newcomers"), new SeedRange(1, 6), seeds).run(2);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }
}
