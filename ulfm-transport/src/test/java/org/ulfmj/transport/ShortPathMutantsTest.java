package org.ulfmj.transport;

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
 * Each of the listed rules of the short path is needed: without it, a test of {@link ShortPathContract} or of one of
 * its subclasses fails.
 */
class ShortPathMutantsTest {
    private static final String TRANSPORT = "org.ulfmj.transport.";
    private static final String FRAMED = TRANSPORT + "FramedShortPath";
    private static final String READER = TRANSPORT + "shm.RingReader";
    private static final String WRITER = TRANSPORT + "shm.RingWriter";
    private static final String SHM = TRANSPORT + "shm.ShmShortPathTest";
    private static final String LOCAL = TRANSPORT + "local.LocalShortPathTest";
    private static final String LENGTHS = "shouldCarryMessagesOfEachLength";
    private static final String ASKED = "shouldLeaveToAPollWhatIsNotAskedFor";
    private static final String HELD = "shouldLeaveMessagesToTheReceiveThatWaitsWhileTheLaneIsHeld";

    private static Arguments rule(
            String says, String className, String original, String replacement, String suite, String test) {
        return Arguments.of(Mutant.of(says, className, original, replacement), new NamedTest(suite, test));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                rule(
                        "a receive goes on behind a record that skips to the start of the ring",
                        READER,
                        "if (LaneLayout.kindOf(word) == LaneLayout.SKIP) {\n            return next() ?",
                        "if (false) {\n            return next() ?",
                        SHM,
                        LENGTHS),
                rule(
                        "a message longer than its receive stays",
                        READER,
                        "|| lengthBytes > target.lengthBytes()",
                        "",
                        SHM,
                        ASKED),
                rule(
                        "a message of another communicator stays",
                        READER,
                        "|| body.getLong(at + Long.BYTES) != communicator",
                        "",
                        SHM,
                        ASKED),
                rule(
                        "a message waits behind a frame that is sent in parts",
                        TRANSPORT + "shm.OutboundLane",
                        "return waiting.isEmpty() && retired",
                        "return retired",
                        SHM,
                        "shouldSendNothingBeforeTheRestOfAFrameThatWaitsForRoom"),
                Arguments.of(
                        Mutant.of(
                                        "a message is committed when its bytes are there",
                                        WRITER,
                                        "commit(LaneLayout.BRIEF, bodyBytes, bytes, next);\n        return true;",
                                        "return true;")
                                .and(
                                        "view.putLong(at + Long.BYTES, communicator);",
                                        "view.putLong(at + Long.BYTES, communicator);"
                                                + " commit(LaneLayout.BRIEF, bodyBytes, bytes, next);"),
                        new NamedTest(SHM, "shouldTakeNothingOfAMessageThatItsSenderDiedIn")),
                rule(
                        "a sender that waits for room is woken",
                        TRANSPORT + "shm.ShmShortPath",
                        "if (lane.isRoomWished() && peer.hasMailbox()) {",
                        "if (false) {",
                        SHM,
                        "shouldWakeASenderThatWaitsForRoomOnceAMessageWasTaken"),
                rule(
                        "polls leave a held lane alone",
                        TRANSPORT + "shm.InboundLanes",
                        "if (!lane.isHeld()) {",
                        "if (true) {",
                        SHM,
                        HELD),
                rule(
                        "polls leave a held lane of a thread alone",
                        TRANSPORT + "local.LocalFabric",
                        "if (!pairs[at].isHeld) {",
                        "if (true) {",
                        LOCAL,
                        HELD),
                rule(
                        "a frame longer than its receive stays",
                        FRAMED,
                        "|| frame.payloadBytes() > into.lengthBytes()",
                        "",
                        LOCAL,
                        ASKED),
                rule(
                        "a frame of another communicator stays",
                        FRAMED,
                        "&& frame.communicator() == communicator",
                        "",
                        LOCAL,
                        ASKED),
                rule(
                        "a frame that is no short message stays",
                        FRAMED,
                        "FrameLayout.isBrief(frame)\n                && ",
                        "",
                        LOCAL,
                        "shouldLeaveToAPollWhatIsNoShortMessage"),
                rule(
                        "nothing is taken of a rank that is marked failed",
                        TRANSPORT + "local.LocalShortPath",
                        "pair != null && fabric.reads(pair)",
                        "pair != null",
                        LOCAL,
                        "shouldTakeNothingOfAPeerThatIsMarkedFailedAndSendItNothing"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldFailWithoutARule(Mutant mutant, NamedTest test) {
        MutantLoader world = new MutantLoader(mutant);
        assertThat(catchThrowable(() -> test.run(world))).as(test.toString()).isNotNull();
    }

    /**
     * Runs the same tests without a mutant, where they pass: so a test that fails with a mutant fails because of it.
     */
    @Test
    void shouldPassWithAllRules() {
        MutantLoader world = new MutantLoader(List.of());
        rules().map(rule -> (NamedTest) rule.get()[1]).distinct().forEach(test -> assertThatCode(() -> test.run(world))
                .doesNotThrowAnyException());
    }
}
