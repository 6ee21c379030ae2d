package org.ulfmj.check.rendezvous.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * Silences and leases in jobs on several hosts, in many seeded schedules. {@code -Dulfm.sim.seeds=1..1000000} runs
 * others.
 */
class HostsSwarmTest {
    @Test
    void shouldLetOneSideGoOnInEverySchedule() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..2000"));
        SeedReport report = new SeedRun(Scenarios.named("silence-hosts"), new SeedRange(2, 8), seeds).run(2);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }
}
