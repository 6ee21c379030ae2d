package org.ulfmj.check.rendezvous.joining;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** The rendezvous of static jobs through many seeded schedules. {@code -Dulfm.sim.seeds=1..1000000} runs others. */
class RendezvousSwarmTest {
    @Test
    void shouldHaveAllJoinOrTellAllWhyNotInEverySchedule() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..10000"));
        SeedReport report = new SeedRun(Scenarios.named("rendezvous"), new SeedRange(1, 9), seeds).run(2);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }
}
