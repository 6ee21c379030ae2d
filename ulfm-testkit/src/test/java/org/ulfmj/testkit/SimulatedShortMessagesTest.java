package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Tests the short path, by which short messages go straight into the lane of shared memory, in simulated time: its
 * messages keep their order with other messages, and failures and revocations end calls on it, too. Also shows of
 * several checks of the path that they are needed: without the check some seed fails.
 */
class SimulatedShortMessagesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 30);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 60;
    private static final String STORY = "org.ulfmj.testkit.ShortStory";
    private static final String SHORT = "org.ulfmj.runtime.transfer.ShortMessages";

    @ParameterizedTest
    @ValueSource(strings = {"", "kill:rank=any(1)@op=*", "crash:rank=any(1)@frame=random(800)"})
    void shouldBehaveAsMessagesInFramesDo(String faults) {
        String wrong = ShortStory.run(FIRST, FIRST + SEEDS - 1, faults);

        assertThat(wrong).isEmpty();
    }

    private static Arguments rule(String says, String original, String replacement) {
        return Arguments.of(says, Mutant.of(says, SHORT, original, replacement));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                rule("a message waits behind those without room", "|| !peer.envelopes.isEmpty() ", ""),
                rule("a message waits for credit", "!peer.credit.allows(costBytes)", "false"),
                rule("a message uses up credit", "peer.credit.onSent(costBytes);", ""),
                rule(
                        "a message that is taken gives its credit back",
                        "notices.onTaken(peer, EagerCredit.costBytes(MessageKey.POINT_TO_POINT, lengthBytes));",
                        ""),
                rule(
                        "a receive waits behind an earlier one",
                        "communicator.posted[MessageKey.POINT_TO_POINT].size() == 0",
                        "true"),
                rule(
                        "a receive takes an earlier message first",
                        "communicator.unexpected[MessageKey.POINT_TO_POINT].size() == 0",
                        "true"),
                rule("a message above the eager limit waits", "lengthBytes > mostBytes", "lengthBytes > 256"),
                rule("nothing is sent once it is revoked", "|| communicator.revoked", ""),
                rule("nothing is received once it is revoked", "return !communicator.revoked", "return true"));
    }

    /** Rules about ranks that are marked failed. */
    static Stream<Arguments> rulesOfMarks() {
        return Stream.of(
                rule("a wait ends with the mark of its rank", "|| peer.isGone() || ", "|| "),
                rule("nothing is sent to a rank that is marked", "&& !peer.isGone();", ";"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("long")
    void shouldGoWrongWithoutARule(String rule, Mutant mutant) {
        requireToGoWrong(rule, mutant);
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rulesOfMarks")
    @Tag("release")
    void shouldGoWrongWithoutARuleOfMarks(String rule, Mutant mutant) {
        requireToGoWrong(rule, mutant);
    }

    private static void requireToGoWrong(String rule, Mutant mutant) {
        MutantLoader world = new MutantLoader(mutant);
        String wrong = "";
        for (String faults : new String[] {"", "kill:rank=any(1)@op=*"}) {
            for (long seed = 1; seed <= SEEDS_OF_A_MUTANT && wrong.isEmpty(); seed++) {
                wrong = (String) world.call(STORY, "run", seed, seed, faults);
            }
        }
        System.out.println(
                "without \"" + rule + "\": " + wrong.lines().findFirst().orElse("nothing"));
        assertThat(wrong).isNotEmpty();
    }
}
