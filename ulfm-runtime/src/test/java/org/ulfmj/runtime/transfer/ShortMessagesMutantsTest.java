package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;
import org.ulfmj.sim.mutant.NamedTest;

/**
 * Shows that each of the rules listed here, by which a short message is sent or received, is needed: without the rule,
 * a test fails. Rules for which a run in simulated time shows this are in {@code SimulatedShortMessagesTest}.
 */
class ShortMessagesMutantsTest {
    private static final String RUNTIME = "org.ulfmj.runtime.";
    private static final String SHORT = RUNTIME + "transfer.ShortMessages";
    private static final String POLLING = RUNTIME + "progress.PollingProgress";
    private static final String SHORT_TEST = RUNTIME + "transfer.ShortMessagesTest";
    private static final String SEAT_TEST = RUNTIME + "progress.SeatTest";

    private static Arguments rule(String says, String original, String replacement, String test) {
        return Arguments.of(Mutant.of(says, SHORT, original, replacement), new NamedTest(SHORT_TEST, test));
    }

    private static Arguments ruleOfWaits(String says, String original, String replacement, String test) {
        return Arguments.of(Mutant.of(says, POLLING, original, replacement), new NamedTest(SEAT_TEST, test));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                rule(
                        "a message waits behind those that may not be announced yet",
                        " || !peer.held.isEmpty()",
                        "",
                        "shouldSendNothingBeforeAMessageThatMayNotBeAnnouncedYet"),
                rule(
                        "a receive from any source goes by polls",
                        "source == MessageKey.ANY_SOURCE || ",
                        "",
                        "shouldReceiveByPollsFromAnySource"),
                rule(
                        "a lane that is not open yet is polled",
                        "if (!peer.shortPath.isOpen()) {",
                        "if (false) {",
                        "shouldReceiveByPollsWhereNoLaneIsOpen"),
                Arguments.of(
                        Mutant.of(
                                "a receive waits behind an earlier one from any source",
                                RUNTIME + "transfer.PostedReceives",
                                "return queues.size();",
                                "return queues.size() - anySourceCount;"),
                        new NamedTest(SHORT_TEST, "shouldTakeNothingBeforeAReceiveThatWasPostedForAnySource")),
                rule(
                        "a message that is there ends a wait",
                        "peer.shortPath.hasArrived() || ",
                        "",
                        "shouldTakeWhatArrivesDuringTheWaitAgainAndAgain"),
                rule(
                        "a revocation ends a wait",
                        "peer.isGone() || !isFirst(communicator);",
                        "peer.isGone();",
                        "shouldTakeNothingOnceTheCommunicatorIsRevokedDuringTheWait"),
                rule(
                        "nothing is taken of a rank that was marked during the wait",
                        "return !peer.isGone() && isFirst(communicator);",
                        "return isFirst(communicator);",
                        "shouldTakeNothingOfARankThatIsMarkedFailedDuringTheWait"),
                rule(
                        "nothing is taken once it was revoked during the wait",
                        "return !peer.isGone() && isFirst(communicator);",
                        "return !peer.isGone();",
                        "shouldTakeNothingOnceTheCommunicatorIsRevokedDuringTheWait"),
                rule(
                        "a receive that was posted during the wait comes first",
                        "return !peer.isGone() && isFirst(communicator);",
                        "return !peer.isGone() && !communicator.revoked;",
                        "shouldTakeNothingBeforeAReceiveThatAnotherThreadPostsDuringTheWait"),
                rule(
                        "a message that was probed during the wait comes first",
                        "return !peer.isGone() && isFirst(communicator);",
                        "return !peer.isGone() && !communicator.revoked;",
                        "shouldTakeNothingBeforeAMessageThatAnotherThreadProbesDuringTheWait"),
                rule(
                        "a rank that is fenced takes nothing",
                        "engine.checkRunning();",
                        "",
                        "shouldTakeNothingInARankThatEndsDuringTheWait"),
                rule(
                        "a communicator that another thread frees is kept during the wait",
                        "communicator.beginCall();",
                        "",
                        "shouldKeepTheCommunicatorDuringTheWaitAndNotAfterwards"),
                rule(
                        "a communicator is kept no longer than the wait",
                        "communicator.endCall();",
                        "",
                        "shouldKeepTheCommunicatorDuringTheWaitAndNotAfterwards"),
                rule(
                        "polls leave the awaited lane alone",
                        "peer.shortPath.hold(true);",
                        "",
                        "shouldKeepPollsFromTheLaneDuringTheWaitAndNotAfterwards"),
                rule(
                        "polls read a lane that is no longer awaited",
                        "peer.shortPath.hold(false);",
                        "",
                        "shouldKeepPollsFromTheLaneDuringTheWaitAndNotAfterwards"),
                rule(
                        "one thread at a time waits for a lane",
                        "if (awaited.communicator != null) {",
                        "if (false) {",
                        "shouldLetASecondThreadReceiveByPolls"),
                rule(
                        "the next receive may wait for a lane again",
                        "            awaited.communicator = null;\n",
                        "",
                        "shouldTakeWhatArrivesDuringTheWaitAgainAndAgain"),
                rule(
                        "a receive that needed no poll is counted",
                        "progress.onUnpolledCall();",
                        "",
                        "shouldTakeWhatHasArrivedWithoutAWait"),
                ruleOfWaits(
                        "one of many receives that need no poll polls for the other threads",
                        "if (isClockDue() && engine.poll(seatIsLeft()) > 0) {",
                        "if (false) {",
                        "shouldPollInOneOfManyCallsThatNeedNoPoll"),
                ruleOfWaits(
                        "looks end early where another thread wants the lock",
                        "if (lock.hasQueuedThreads()) {\n                    return false;",
                        "if (false) {\n                    return false;",
                        "shouldLetInAnotherThreadBetweenFewLooksAtWhatIsSeenWithoutAPoll"),
                ruleOfWaits(
                        "a thread that looks lets others in",
                        "            letOthersIn();\n            if ((left & POLLS_A_PAUSE - 1) == 0) {",
                        "            if ((left & POLLS_A_PAUSE - 1) == 0) {",
                        "shouldLetInAnotherThreadBetweenFewLooksAtWhatIsSeenWithoutAPoll"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldFailWithoutARule(Mutant mutant, NamedTest test) {
        MutantLoader world = new MutantLoader(mutant);
        assertThat(catchThrowable(() -> test.run(world))).as(test.toString()).isNotNull();
    }

    /**
     * Shows that the tests pass if they are loaded in the same way without a mutant, so that a failure with a mutant is
     * due to the mutant.
     */
    @Test
    void shouldPassWithAllRules() {
        MutantLoader world = new MutantLoader(List.of());
        rules().map(rule -> (NamedTest) rule.get()[1]).distinct().forEach(test -> assertThatCode(() -> test.run(world))
                .doesNotThrowAnyException());
    }
}
