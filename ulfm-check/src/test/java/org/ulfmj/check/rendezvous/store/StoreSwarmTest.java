package org.ulfmj.check.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/**
 * The store's sessions through many seeded schedules, in which lines break. {@code -Dulfm.sim.seeds=1..1000000} runs
 * others.
 */
class StoreSwarmTest {
    @ParameterizedTest
    @ValueSource(strings = {"store", "store-lost"})
    void shouldCarryEachRequestOutOnceInEverySchedule(String scenario) throws InterruptedException {
        SeedRange seeds = SeedRange.parse("ulfm.sim.seeds", System.getProperty("ulfm.sim.seeds", "1..1000"));
        SeedReport report = new SeedRun(Scenarios.named(scenario), new SeedRange(2, 4), seeds).run(2);
        System.out.println(report);
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }
}
