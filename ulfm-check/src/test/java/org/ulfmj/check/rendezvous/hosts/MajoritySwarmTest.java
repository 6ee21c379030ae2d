package org.ulfmj.check.rendezvous.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * Splits between hosts, and single broken paths, in jobs that need a majority, in many seeded schedules.
 * {@code -Dulfm.sim.seeds=1..1000000} runs others.
 */
class MajoritySwarmTest {
    @Test
    void shouldLetAMajorityGoOnInEverySchedule() throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..2000"));
        SeedReport report = new SeedRun(Scenarios.named("majority-hosts"), new SeedRange(2, 9), seeds).run(2);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }
}
