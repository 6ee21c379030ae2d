package org.ulfmj.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.junit.ProgramMinimiser.Case;

class ProgramMinimiserTest {
    private static final Failure FAILURE = new Failure("hang", "the program hangs", null);
    private static final Failure OTHER = new Failure("results", "the results differ", null);
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private long nowNs;

    @Test
    void shouldLeaveOutTheFaultsThatDoNotMatter() {
        Case small = minimised(
                of(8, "kill:rank=1@op=*#9", "kill:rank=5@op=send#4", "kill:rank=2@op=*#30"),
                some -> some.faults().stream().anyMatch(rule -> rule.text().endsWith("@op=send#4")));
        assertThat(PlannedFault.plan(small.faults())).isEqualTo("kill:rank=1@op=send#4");
    }

    @Test
    void shouldUseAsFewRanksAsTheProgramFailsWith() {
        Case small = minimised(
                of(8, "kill:rank=6@op=*"),
                some -> some.ranks() >= 4 && !some.faults().isEmpty());
        assertThat(small.ranks()).isEqualTo(4);
        assertThat(PlannedFault.plan(small.faults())).isEqualTo("kill:rank=3@op=*");
    }

    @Test
    void shouldKillAtTheEarliestCallThatStillFails() {
        Case small =
                minimised(of(2, "kill:rank=1@op=*#1000"), some -> !some.faults().isEmpty() && count(some) >= 17);
        assertThat(PlannedFault.plan(small.faults())).isEqualTo("kill:rank=1@op=*#17");
    }

    @Test
    void shouldNotTakeAnotherFailureForTheSame() {
        Case whole = of(4, "kill:rank=1@op=*#9", "kill:rank=2@op=*");
        Case small = new ProgramMinimiser(
                        whole, FAILURE, some -> some.equals(whole) ? FAILURE : OTHER, () -> nowNs, FOREVER)
                .search();
        assertThat(small).isEqualTo(whole);
    }

    @Test
    void shouldNotUseSoFewRanksThatTheProgramFailsWithoutFaults() {
        Case small = minimised(
                of(5, "kill:rank=1@op=*"),
                some -> some.ranks() < 4 || !some.faults().isEmpty());
        assertThat(small.ranks()).isEqualTo(4);
    }

    @Test
    void shouldTryOtherSeedsForASmallerCase() {
        Case small = minimised(
                of(4, "kill:rank=1@op=*", "kill:rank=2@op=*"),
                some -> some.faults().size() == 2 || some.faults().size() == 1 && some.seed() == 7);
        assertThat(small.faults()).hasSize(1);
        assertThat(small.seed()).isEqualTo(7);
    }

    @Test
    void shouldKeepRulesOfOtherFormsOrLeaveThemOut() {
        Case small = minimised(of(4, "pause:rank=2@t=3s", "kill:rank=1@op=*"), some -> some.faults().stream()
                .anyMatch(rule -> rule.toString().startsWith("pause")));
        assertThat(PlannedFault.plan(small.faults())).startsWith("pause:rank=").doesNotContain("kill");
    }

    @Test
    void shouldStopWhenItsTimeIsUp() {
        ProgramMinimiser minimiser = new ProgramMinimiser(
                of(8, "kill:rank=1@op=*#1000"),
                FAILURE,
                some -> {
                    nowNs += 10;
                    return some.faults().isEmpty() || some.ranks() < 8 ? null : FAILURE;
                },
                () -> nowNs,
                25);
        minimiser.search();
        assertThat(minimiser.runs()).isEqualTo(3);
    }

    private Case minimised(Case whole, Predicate<Case> fails) {
        return new ProgramMinimiser(whole, FAILURE, some -> fails.test(some) ? FAILURE : null, () -> nowNs, FOREVER)
                .search();
    }

    private static int count(Case some) {
        String text = some.faults().get(0).text();
        return text.contains("#") ? Integer.parseInt(text.substring(text.indexOf('#') + 1)) : 1;
    }

    private static Case of(int ranks, String... faults) {
        return new Case(815, ranks, Stream.of(faults).map(PlannedFault::of).toList());
    }

    @Test
    void shouldSayRulesAsTheyWereWritten() {
        for (String rule : List.of("kill:rank=3@op=allreduce#7", "kill:rank=0@iter=4", "kill:rank=2@t=2s", "odd")) {
            assertThat(PlannedFault.of(rule)).hasToString(rule);
        }
    }

    @Test
    void shouldMakeCountsAndTimesOfARuleSmaller() {
        assertThat(PlannedFault.of("kill:rank=1@op=*#8").smaller())
                .hasToString("[kill:rank=1@op=*#1, kill:rank=1@op=*#4, kill:rank=1@op=*#7]");
        assertThat(PlannedFault.of("crash:rank=1@frame=3").smaller())
                .hasToString("[crash:rank=1@frame=1, crash:rank=1@frame=2]");
        assertThat(PlannedFault.of("pause:rank=2:for=4s@t=6ms").smaller())
                .hasToString("[pause:rank=2:for=2s@t=6ms, pause:rank=2:for=4s@t=3ms]");
    }
}
