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
 * Messages from lent memory in simulated time, where a copy is made in pieces and anything may come between two of
 * them: sends end early, are sent whole, revoked, their ranks die, stand still and are cut off. No message holds what
 * was written after its send had ended, nothing is written into a buffer whose receive has failed, and nobody hangs.
 * And each rule (docs/inside/shared-memory.md) is needed: without it some seed goes wrong.
 */
class SimulatedLentMessagesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 20);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 1_000;
    private static final String STORY = "org.ulfmj.testkit.LentMessagesStory";
    private static final String PULLS = "org.ulfmj.runtime.transfer.Pulls";
    private static final String OUTBOUND = "org.ulfmj.runtime.transfer.Outbound";
    private static final String CONTRIBUTIONS = "org.ulfmj.runtime.transfer.Contributions";
    private static final String MATCHING = "org.ulfmj.runtime.transfer.Matching";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "4 |",
                "3 | random",
                "4 | kill:rank=any(2)@op=*",
                "4 | vanish:rank=any(1)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)",
                "3 | pause:rank=any(1)@t=random; crash:rank=any(1)@frame=random(300)",
                "4 | suspect:rank=any(1)@t=random",
                "5 | random(2)"
            })
    void shouldDeliverWhatWasSentAndNothingElseWhoeverFails(int ranks, String faults) {
        String wrong = LentMessagesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    private static Arguments rule(String says, Mutant mutant, String faults) {
        return Arguments.of(says, mutant, faults);
    }

    static Stream<Arguments> rules() {
        String kills = "kill:rank=any(1)@op=*";
        return Stream.of(
                rule(
                        "who finds another count has copied nothing",
                        Mutant.of(
                                "M1",
                                PULLS,
                                "return memory.takenBack(receive.peer.id, receive.senderId) == receive.place.takenBack();",
                                "return true;"),
                        ""),
                rule(
                        "a send that fails is taken back",
                        Mutant.of(
                                "M2",
                                OUTBOUND,
                                "                    lending.takeBack(send.handshakeId);\n                }",
                                "                }"),
                        kills),
                rule(
                        "a send that goes whole after all is taken back",
                        Mutant.of(
                                "M2",
                                OUTBOUND,
                                "            lending.takeBack(send.handshakeId);\n        }\n        awaitingAnswer",
                                "        }\n        awaitingAnswer"),
                        ""),
                rule(
                        "the count is that of the offer",
                        Mutant.of(
                                "M3",
                                PULLS,
                                "receive.lent = source;",
                                "receive.lent = source; place.of(place.memoryId(), place.offset(),"
                                        + " memory.takenBack(receive.peer.id, receive.senderId));"),
                        ""),
                rule(
                        "what was offered and goes whole keeps its number",
                        Mutant.of(
                                "M4",
                                OUTBOUND,
                                "frame.setOffered(send.handshakeId);",
                                "frame.setSenderId(send.handshakeId);"),
                        ""),
                rule(
                        "who receives it whole copies no more",
                        Mutant.of(
                                "M4",
                                MATCHING,
                                "            forgetStream(receive);\n            copy(frame.received(), receive.payload, 0);",
                                "            copy(frame.received(), receive.payload, 0);"),
                        ""),
                rule(
                        "a send that need not wait does not",
                        Mutant.of(
                                "M5",
                                OUTBOUND,
                                "            impatient.addLast(send);\n        }\n        return true;",
                                "        }\n        return true;"),
                        ""),
                rule(
                        "a word that it goes on is not one that it is over",
                        Mutant.of(
                                "M6",
                                OUTBOUND,
                                " && copiedBytes == send.payload.lengthBytes();",
                                " && copiedBytes != 0;"),
                        ""),
                rule(
                        "a receive that fails is not copied to any more",
                        Mutant.of(
                                "M7",
                                MATCHING,
                                "            pulls.forget(receive);\n        }\n        if (receive.place.mayComeWhole()",
                                "        }\n        if (receive.place.mayComeWhole()"),
                        kills),
                rule(
                        "who has copied nothing asks for the bytes",
                        Mutant.of(
                                "M1",
                                MATCHING,
                                "            notices.sendClearToSend(receive.peer, receive.senderId, receive.handshakeId);\n        }\n    }\n\n    boolean isPulling",
                                "        }\n    }\n\n    boolean isPulling"),
                        ""),
                rule(
                        "who can read no memory asks for the bytes",
                        Mutant.of(
                                "M8",
                                PULLS,
                                "            return false;\n        }\n        receive.lent",
                                "            return true;\n        }\n        receive.lent"),
                        ""),
                rule(
                        "nobody takes a piece of a receive that has failed",
                        Mutant.of("M9", PULLS, "                division.close();\n", ""),
                        kills),
                rule(
                        "a piece that the sender took is its to write",
                        Mutant.of("M10", CONTRIBUTIONS, "            write(oldest, pieces - 1 - piece);\n", ""),
                        ""),
                rule(
                        "it is the sender that hears when all is copied",
                        Mutant.of(
                                "M6",
                                MATCHING,
                                "            notices.sendCopied(receive.peer, receive.senderId, receive.messageBytes);\n",
                                ""),
                        ""));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(String rule, Mutant mutant, String faults) {
        MutantLoader world = new MutantLoader(mutant);
        String wrong = "";
        for (long seed = 1; seed <= SEEDS_OF_A_MUTANT && wrong.isEmpty(); seed += 10) {
            wrong = (String) world.call(STORY, "run", seed, seed + 9, 3, faults);
        }
        System.out.println(
                "without \"" + rule + "\": " + wrong.lines().findFirst().orElse("nothing"));
        assertThat(wrong).isNotEmpty();
    }
}
