package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests non-blocking collectives on lent memory in simulated time. No failure may make one hang, and a collective that
 * succeeds may not have data that the owner of the memory wrote after its own operation had ended. Also shows that each
 * of the rules W11 and W13 to W15 of docs/inside/host-collectives.md is needed: without the rule some seed fails.
 */
class SimulatedLentWindowTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 15);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 400;
    private static final String STORY = "org.ulfmj.testkit.LentWindowStory";
    private static final String RUN = "org.ulfmj.runtime.host.LongRun";
    private static final String LENT = "org.ulfmj.runtime.host.LentWaves";
    private static final String TRIES = "org.ulfmj.runtime.host.LentTries";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "4 |",
                "3 | random",
                "4 | kill:rank=any(2)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)",
                "3 | pause:rank=any(1)@t=random; crash:rank=any(1)@frame=random(300)",
                "4 | suspect:rank=any(1)@t=random",
                "5 | random(2)"
            })
    void shouldGiveSurvivorsTheRightValuesUnderAnyFailures(int ranks, String faults) {
        String wrong = LentWindowStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                "",
                without("W11", "an operation is over when all have read")
                        .in(LENT, "return isReduction ? 2 : 1;", "return isReduction ? 1 : 0;"),
                without("W11", "results are read when all have combined")
                        .in(
                                RUN,
                                "if (!isAwaiting || !isThere(wavesBefore + wave)) {",
                                "if (!isAwaiting || wave != 1 && !isThere(wavesBefore + wave)) {"),
                without("W13", "a rank that could not read says so").in(LENT, "isRead ? READ : NOT_READ", "READ"),
                without("W13", "all go the other way if one could not read")
                        .in(LENT, ": shownBy(rank, outcome(wave)) != READ", ": rank == own && !isRead"),
                without("W14", "no rank reads unless all have lent theirs")
                        .in(LENT, "wave == 0 ? shownBy(rank, SEND_ID) == 0 :", "wave == 0 ? false :"),
                without("W14", "a rank that has not begins anew where others have")
                        .in(RUN, "} else if (lent.isOfferedByAny()) {", "} else if (wave < 0) {"),
                without("W14", "a reduction in one buffer does not overwrite what others read")
                        .in(LENT, "if (sendId == receiveId) {", "if (sendId == 0) {"),
                without("W15", "whether to try follows from operations that are over at all ranks")
                        .in(
                                TRIES,
                                "outcomes[slot] = isRead ? Outcome.READ : Outcome.NOT_READ;",
                                "outcomes[slot] = isRead ? Outcome.READ : Outcome.NOT_READ; if (!isRead) { notBefore = Long.MAX_VALUE; }"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 4, 3);
    }
}
