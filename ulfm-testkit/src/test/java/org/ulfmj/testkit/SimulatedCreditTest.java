package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Back-pressure in simulated time: however many messages are started, a receiver that looks for none holds what credit
 * allows and 4,096 announcements of each sender; nothing overtakes, is lost or waits for good. And each rule is needed:
 * without it some seed goes wrong.
 */
class SimulatedCreditTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 12);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 60;
    private static final String STORY = "org.ulfmj.testkit.CreditStory";
    private static final String CREDIT = "org.ulfmj.runtime.message.EagerCredit";
    private static final String HELD = "org.ulfmj.runtime.transfer.HeldSends";
    private static final String OUTBOUND = "org.ulfmj.runtime.transfer.Outbound";
    private static final String MATCHING = "org.ulfmj.runtime.transfer.Matching";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 |",
                "2 |",
                "3 |",
                "3 | kill:rank=any(1)@op=*",
                "3 | crash:rank=any(2)@frame=random(20000)",
                "3 | pause:rank=any(1)@t=random; suspect:rank=any(1)@t=random"
            })
    void shouldHoldNoMoreThanCreditAllowsAndDeliverAllInOrder(int ranks, String faults) {
        String wrong = CreditStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    private static Arguments rule(String says, String className, String original, String replacement) {
        return Arguments.of(says, Mutant.of(says, className, original, replacement));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                rule(
                        "a message costs more than its payload",
                        CREDIT,
                        "return lengthBytes == 0 ? LEAST_COST_BYTES : DESCRIPTION_BYTES + PayloadMemory.capacityBytes((int) lengthBytes);",
                        "return lengthBytes == 0 ? LEAST_COST_BYTES : lengthBytes;"),
                rule(
                        "an empty message costs something",
                        CREDIT,
                        "boolean passes = stream != MessageKey.POINT_TO_POINT && lengthBytes == 0;",
                        "boolean passes = lengthBytes == 0;"),
                rule(
                        "credit that was taken is given back",
                        MATCHING,
                        "notices.onTaken(from, EagerCredit.costBytes(receive.stream, length));",
                        "notices.onTaken(from, 0);"),
                rule(
                        "so is that of what came whole while it was asked for",
                        MATCHING,
                        "            notices.onTaken(from, EagerCredit.costBytes(frame.stream(), frame.payloadBytes()));\n            finish(",
                        "            finish("),
                rule(
                        "so is that of what is thrown away",
                        MATCHING,
                        "message.offered ? 0 : EagerCredit.costBytes(stream, message.lengthBytes)",
                        "0"),
                rule("announcements are limited", HELD, "return announced < allowed;", "return true;"),
                rule(
                        "what is kept back is not overtaken",
                        OUTBOUND,
                        "held == null || held.isEmpty() && (held.mayAnnounce() || mayGoWhole(send))",
                        "held == null || held.mayAnnounce() || mayGoWhole(send)"),
                rule(
                        "collective operations pass",
                        OUTBOUND,
                        "send.stream == MessageKey.POINT_TO_POINT && isHeld(send)",
                        "isHeld(send)"),
                rule(
                        "whoever may announce more does",
                        OUTBOUND,
                        "            held.allow(total);\n            resume(from);",
                        "            held.allow(total);"),
                rule(
                        "a receive that finds nothing asks for more",
                        MATCHING,
                        "if (receive.stream == MessageKey.POINT_TO_POINT) {\n            askForMore(communicator, receive.wantedSource);",
                        "if (false) {\n            askForMore(communicator, receive.wantedSource);"),
                rule(
                        "and asks again while it waits",
                        MATCHING,
                        "if (isLast && communicator.posted[frame.stream()].awaits(frame.source())) {",
                        "if (false) {"),
                rule(
                        "so does a probe",
                        MATCHING,
                        "if (message == null) {\n            askForMore(communicator, source);",
                        "if (false) {\n            askForMore(communicator, source);"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(String rule, Mutant mutant) {
        MutantLoader world = new MutantLoader(mutant);
        String wrong = "";
        for (long seed = 1; seed <= SEEDS_OF_A_MUTANT && wrong.isEmpty(); seed++) {
            wrong = (String) world.call(STORY, "run", seed, seed, 2, "");
        }
        System.out.println(
                "without \"" + rule + "\": " + wrong.lines().findFirst().orElse("nothing"));
        assertThat(wrong).isNotEmpty();
    }
}
