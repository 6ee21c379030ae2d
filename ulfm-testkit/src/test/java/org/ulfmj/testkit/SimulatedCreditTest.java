package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests back-pressure in simulated time: however many messages are sent without blocking, a receiver that takes none
 * holds no more than credit allows, and 4,096 announcements of each sender. No message overtakes another, is lost or
 * waits for ever. Also shows of several rules that they are needed: without the rule some seed fails.
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

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                "",
                without("a message costs more than its payload")
                        .in(
                                CREDIT,
                                "return lengthBytes == 0 ? LEAST_COST_BYTES : DESCRIPTION_BYTES + PayloadMemory.capacityBytes((int) lengthBytes);",
                                "return lengthBytes == 0 ? LEAST_COST_BYTES : lengthBytes;"),
                without("an empty message costs something")
                        .in(
                                CREDIT,
                                "boolean passes = stream != MessageKey.POINT_TO_POINT && lengthBytes == 0;",
                                "boolean passes = lengthBytes == 0;"),
                without("credit that was taken is given back")
                        .in(
                                MATCHING,
                                "notices.onTaken(from, EagerCredit.costBytes(receive.stream, length));",
                                "notices.onTaken(from, 0);"),
                without("so is that of what came whole while it was asked for")
                        .in(
                                MATCHING,
                                "            notices.onTaken(from, EagerCredit.costBytes(frame.stream(), frame.payloadBytes()));\n            finish(",
                                "            finish("),
                without("so is that of what is thrown away")
                        .in(MATCHING, "message.offered ? 0 : EagerCredit.costBytes(stream, message.lengthBytes)", "0"),
                without("announcements are limited").in(HELD, "return announced < allowed;", "return true;"),
                without("what is kept back is not overtaken")
                        .in(
                                OUTBOUND,
                                "held == null || held.isEmpty() && (held.mayAnnounce() || mayGoWhole(send))",
                                "held == null || held.mayAnnounce() || mayGoWhole(send)"),
                without("collective operations pass")
                        .in(OUTBOUND, "send.stream == MessageKey.POINT_TO_POINT && isHeld(send)", "isHeld(send)"),
                without("a sender that may announce more does")
                        .in(
                                OUTBOUND,
                                "            held.allow(total);\n            resume(from);",
                                "            held.allow(total);"),
                without("a receive that finds nothing asks for more")
                        .in(
                                MATCHING,
                                "if (receive.stream == MessageKey.POINT_TO_POINT) {\n            askForMore(communicator, receive.wantedSource);",
                                "if (false) {\n            askForMore(communicator, receive.wantedSource);"),
                without("and asks again while it waits")
                        .in(
                                MATCHING,
                                "if (isLast && communicator.posted[frame.stream()].awaits(frame.source())) {",
                                "if (false) {"),
                without("so does a probe")
                        .in(
                                MATCHING,
                                "if (message == null) {\n            askForMore(communicator, source);",
                                "if (false) {\n            askForMore(communicator, source);"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 1, 2);
    }
}
