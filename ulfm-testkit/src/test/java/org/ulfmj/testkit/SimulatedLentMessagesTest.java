package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests messages from lent memory in simulated time. A receiver copies lent memory in pieces, and anything may happen
 * between two pieces: a send ends early, is sent as a whole message instead, or is revoked, and ranks die, stand still
 * and are cut off. No message may hold data that was written after its send had ended, nothing may be written into a
 * buffer whose receive has failed, and no rank may hang. Also shows of several rules (docs/inside/shared-memory.md)
 * that they are needed: without the rule some seed fails.
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
    void shouldDeliverWhatWasSentAndNothingElseUnderAnyFailures(int ranks, String faults) {
        String wrong = LentMessagesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    static Stream<NeededRule> rules() {
        String kills = "kill:rank=any(1)@op=*";
        return Stream.concat(
                NeededRule.under(
                        "",
                        without("M1", "who finds another count has copied nothing")
                                .in(
                                        PULLS,
                                        "return memory.takenBack(receive.peer.id, receive.senderId) == receive.place.takenBack();",
                                        "return true;"),
                        without("M2", "a send that goes whole after all is taken back")
                                .in(
                                        OUTBOUND,
                                        "            lending.takeBack(send.handshakeId);\n        }\n        awaitingAnswer",
                                        "        }\n        awaitingAnswer"),
                        without("M3", "the count is that of the offer")
                                .in(
                                        PULLS,
                                        "receive.lent = source;",
                                        "receive.lent = source; place.of(place.memoryId(), place.offset(),"
                                                + " memory.takenBack(receive.peer.id, receive.senderId));"),
                        without("M4", "what was offered and goes whole keeps its number")
                                .in(
                                        OUTBOUND,
                                        "frame.setOffered(send.handshakeId);",
                                        "frame.setSenderId(send.handshakeId);"),
                        without("M4", "who receives it whole copies no more")
                                .in(
                                        MATCHING,
                                        "            forgetStream(receive);\n            copy(frame.received(), receive.payload, 0);",
                                        "            copy(frame.received(), receive.payload, 0);"),
                        without("M5", "a send that need not wait does not")
                                .in(
                                        OUTBOUND,
                                        "            impatient.addLast(send);\n        }\n        return true;",
                                        "        }\n        return true;"),
                        without("M6", "a word that it goes on is not one that it is over")
                                .in(
                                        OUTBOUND,
                                        " && copiedBytes == send.payload.lengthBytes();",
                                        " && copiedBytes != 0;"),
                        without("M1", "who has copied nothing asks for the bytes")
                                .in(
                                        MATCHING,
                                        "            notices.sendClearToSend(receive.peer, receive.senderId, receive.handshakeId);\n        }\n    }\n\n    boolean isPulling",
                                        "        }\n    }\n\n    boolean isPulling"),
                        without("M8", "who can read no memory asks for the bytes")
                                .in(
                                        PULLS,
                                        "            return false;\n        }\n        receive.lent",
                                        "            return true;\n        }\n        receive.lent"),
                        without("M10", "a piece that the sender took is its to write")
                                .in(CONTRIBUTIONS, "            write(oldest, pieces - 1 - piece);\n", ""),
                        without("M6", "it is the sender that hears when all is copied")
                                .in(
                                        MATCHING,
                                        "            notices.sendCopied(receive.peer, receive.senderId, receive.messageBytes);\n",
                                        "")),
                NeededRule.under(
                        kills,
                        without("M2", "a send that fails is taken back")
                                .in(
                                        OUTBOUND,
                                        "                    lending.takeBack(send.handshakeId);\n                }",
                                        "                }"),
                        without("M7", "a receive that fails is not copied to any more")
                                .in(
                                        MATCHING,
                                        "            pulls.forget(receive);\n        }\n        if (receive.place.mayComeWhole()",
                                        "        }\n        if (receive.place.mayComeWhole()"),
                        without("M9", "no rank takes a piece of a receive that has failed")
                                .in(PULLS, "                division.close();\n", "")));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 3);
    }
}
