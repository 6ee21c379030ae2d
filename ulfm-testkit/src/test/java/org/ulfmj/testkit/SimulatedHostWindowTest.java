package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests non-blocking collectives through shared memory in simulated time. Stores of a rank become visible late, or
 * early and without their flag, and ranks die, stand still and are cut off at any moment: no survivor may get a wrong
 * value, no rank may hang, and the buffer of a failed request may not be written to. Also shows that each of the rules
 * W1 to W7 of docs/inside/host-collectives.md is needed: without the rule some seed fails.
 */
class SimulatedHostWindowTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 30 : 5);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 400;
    private static final String STORY = "org.ulfmj.testkit.HostWindowStory";
    private static final String WINDOW = "org.ulfmj.runtime.host.HostWindow";
    private static final String QUEUE = "org.ulfmj.runtime.host.HostQueue";
    private static final String LONG = "org.ulfmj.runtime.host.LongRun";
    private static final String STAGED = "org.ulfmj.runtime.host.StagedWaves";
    private static final String SHORT = "org.ulfmj.runtime.host.ShortRun";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "5 |",
                "2 | random",
                "4 | kill:rank=any(2)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)",
                "3 | pause:rank=any(1)@op=*; crash:rank=any(1)@frame=random(300)",
                "5 | random(2)"
            })
    void shouldGiveSurvivorsTheRightValuesUnderAnyFailures(int ranks, String faults) {
        String wrong = HostWindowStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    static Stream<NeededRule> rules() {
        return Stream.concat(
                NeededRule.under(
                        "",
                        without("W1", "the flag comes last")
                                .in(
                                        WINDOW,
                                        "int slot = slotAt(run.number);\n        if (wave == 0) {",
                                        "int slot = slotAt(run.number);\n"
                                                + "        mine.wordRelease(slot + FLAG, flag(run.number, wave));\n"
                                                + "        if (wave == 0) {")
                                .and("        mine.wordRelease(slot + FLAG, flag);\n", ""),
                        without("W2", "an operation whose slot is busy is put off")
                                .in(WINDOW, "return number - places <= doneEverywhere;", "return true;"),
                        without("W3", "a rank says that it is done with an operation when all before are over too")
                                .in(
                                        WINDOW,
                                        "over[slot] = true;",
                                        "over[slot] = false; doneHere = Math.max(doneHere, run.number);"),
                        without("W3", "and only when they are over")
                                .in(WINDOW, "doneShown = doneHere;", "doneShown = doneHere + places;"),
                        without("W4", "a result is read when all that are awaited have shown the wave")
                                .in(SHORT, "if (!isThere(0)) {", "if (!isAwaitingRoot() && !isThere(0)) {"),
                        without("W4", "also in the call that starts the operation")
                                .in(SHORT, "!looks.areThere(this) || difference() != null", "false"),
                        without("W4", "a wave follows when all have shown the one before")
                                .in(
                                        LONG,
                                        "!isAwaiting || !isThere(wavesBefore + wave)",
                                        "!isAwaiting || wave == 0 && !isThere(wavesBefore + wave)"),
                        without("W5", "contributions lie apart from those to the piece before")
                                .in(
                                        STAGED,
                                        "return window.placeAt(number) + (piece & 1) * stageBytes;",
                                        "return window.placeAt(number);"),
                        without("W5", "so do results")
                                .in(STAGED, "2 * stageBytes + (piece & 1) * resultBytes;", "2 * stageBytes;"),
                        without("W6", "a call whose way is not known here is put off")
                                .in(
                                        QUEUE,
                                        "return window == null ? Way.PUT_OFF : Way.MEMORY;",
                                        "return window == null ? Way.MESSAGES : Way.MEMORY;"),
                        without("W6", "what came of a setup is in force from the same call on at all ranks")
                                .in(
                                        QUEUE,
                                        "    void onShared(Segment[] segments) {",
                                        "    void onShared(Segment[] segments) {\n        inForceAt = calls;")),
                NeededRule.under(
                        "kill:rank=any(1)@op=*",
                        without("W7", "a failure ends the operations that are under way")
                                .in(
                                        QUEUE,
                                        "run.fail(verdict, null);\n        }\n        close();",
                                        "}\n        close();")));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 4, 3, 5);
    }
}
