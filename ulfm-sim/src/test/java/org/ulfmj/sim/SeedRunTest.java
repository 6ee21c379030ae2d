package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SeedRunTest {
    private static final SeedRange RANKS = new SeedRange(2, 9);

    @Test
    void shouldFindNoViolationWhenTheProtocolIsRight() throws InterruptedException {
        SeedReport report = new SeedRun(List.of(new FloodScenario()), RANKS, new SeedRange(1, 500)).run(2);
        assertThat(report.failures()).isEmpty();
        assertThat(report.schedules()).isEqualTo(500);
    }

    @Test
    void shouldNameTheSeedThatFailsAgainWhenTheProtocolIsWrong() throws InterruptedException {
        Scenario broken = new FloodScenario(false);
        SeedReport report = new SeedRun(List.of(broken), RANKS, new SeedRange(1, 2_000)).run(2);
        assertThat(report.failures()).isNotEmpty();
        SeedReport.Failure failure = report.failures().get(0);
        assertThat(failure.toString())
                .contains("all hold one number: process ")
                .contains("bin/ulfm-sim re-run --protocol flood --ranks "
                        + failure.schedule().ranks() + " --seed "
                        + failure.schedule().seed());
        Outcome again = failure.schedule().run(EventLog.readable());
        assertThat(again.violation()).hasMessage(failure.violation().getMessage());
    }

    @Test
    void shouldGiveTheSameHashWhenTheLogIsKeptOrNot() {
        Schedule schedule = new Schedule(new FloodScenario(), 5, 42);
        EventLog readable = EventLog.readable();
        long hash = schedule.run(readable).logHash();
        assertThat(schedule.run(EventLog.hashing()).logHash()).isEqualTo(hash);
        assertThat(readable.lines()).isNotEmpty().hasSizeLessThan((int) readable.count());
        assertThat(new Schedule(new FloodScenario(), 5, 43)
                        .run(EventLog.hashing())
                        .logHash())
                .isNotEqualTo(hash);
    }

    @Test
    void shouldNotBeCleanWhenARequiredEventWasNeverSeen() {
        SeedReport report = new SeedReport();
        report.coverage().require("takeover");
        assertThat(report.isClean()).isFalse();
        assertThat(report.toString()).contains("never seen: [takeover]");
        report.add(new Outcome(null, 1, 1, 1, 0, new TreeSet<>(Set.of("takeover")), 0, List.of()));
        assertThat(report.isClean()).isTrue();
        assertThat(report.toString()).contains("coverage: takeover 1");
    }
}
