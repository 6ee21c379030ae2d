package org.ulfmj.check.rendezvous.silence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** The judge of silences in the launcher, in many seeded schedules. {@code -Dulfm.sim.seeds=1..1000000} runs others. */
class SilenceSwarmTest {
    @ParameterizedTest
    @ValueSource(strings = {"silence", "silence-newcomer"})
    void shouldEndTheSilentAndNoneButThemInEverySchedule(String scenario) throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..5000"));
        SeedReport report = new SeedRun(Scenarios.named(scenario), new SeedRange(2, 5), seeds).run(2);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }
}
