package org.ulfmj.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Tests the ring of a lane in every interleaving with up to two switches, and, with up to one switch, with the death of
 * either end at each of its points. Mutants of the ring must fail in some interleaving. Memory accesses happen in
 * program order here; {@code RingStressTest} and the litmus tests show what reordering does.
 */
class RingInterleavingsTest {
    private static final String POINT = "org.ulfmj.testkit.memory.SharedAccess.point(); ";
    private static final String STORY = "org.ulfmj.transport.shm.RingStory";
    private static final String LAYOUT = "org.ulfmj.transport.shm.LaneLayout";
    private static final String WRITER = "org.ulfmj.transport.shm.RingWriter";
    private static final String COMMIT_ZERO = "memory.putLong(LaneLayout.RECORDS_AT + next, 0);";

    private static final String FETCH = "memory.putLong(LaneLayout.RECORDS_AT + line, 0);";

    private static Mutant layout() {
        return Mutant.of(
                        "points at flags",
                        LAYOUT,
                        "return (long) LONG.getAcquire(memory, at);",
                        POINT + "return (long) LONG.getAcquire(memory, at);")
                .and("LONG.setRelease(memory, at, value);", POINT + "LONG.setRelease(memory, at, value);")
                .and("return (long) LONG.getOpaque(memory, at);", POINT + "return (long) LONG.getOpaque(memory, at);");
    }

    /**
     * Returns a mutant of the ring's writer that also has points at plain stores, rewinds after a few records instead
     * of after many, and has cache lines so short that some are fetched ahead.
     */
    private static Mutant writer() {
        return Mutant.of("points at stores", WRITER, "view.put(frame);", POINT + "view.put(frame);")
                .and(
                        "memory.putLong(LaneLayout.SUCCESSOR_AT, fileId);",
                        POINT + "memory.putLong(LaneLayout.SUCCESSOR_AT, fileId);")
                .and("memory.putLong(LaneLayout.RECORDS_AT, 0);", POINT + "memory.putLong(LaneLayout.RECORDS_AT, 0);")
                .and(FETCH, POINT + FETCH)
                .and("LINE_BYTES = 64;", "LINE_BYTES = 16;")
                .and("LINES_AHEAD = 4;", "LINES_AHEAD = 2;")
                .and("REWIND_BYTES = 32 * 1024;", "REWIND_BYTES = 48;");
    }

    private static long explore(
            Mutant writer, String sizes, int ringBytes, boolean mayReplace, int mostSwitches, int mostWithDeath) {
        List<Mutant> instruments = new ArrayList<>(List.of(layout(), writer));
        return (Long) new MutantLoader(instruments)
                .call(STORY, "explore", sizes, ringBytes, mayReplace, mostSwitches, mostWithDeath);
    }

    @ParameterizedTest
    @CsvSource({
        "8 24 16 24 8, 80, false",
        "24 24 24 24, 80, false",
        "8 8 8 8 8 8, 64, false",
        "16 8 24 8, 72, true",
        "24 24 24 8, 80, true"
    })
    void shouldHandOverWhatWasSentInEveryInterleaving(String sizes, int ringBytes, boolean mayReplace) {
        long runs = explore(writer().and(COMMIT_ZERO, POINT + COMMIT_ZERO), sizes, ringBytes, mayReplace, 2, 1);
        System.out.println("frames of " + sizes + " bytes through a ring of " + ringBytes
                + (mayReplace ? ", replaced when full: " : ": ") + runs + " interleavings");
        assertThat(runs).isGreaterThan(1_000);
    }

    static Stream<Arguments> mutants() {
        Mutant whole = writer();
        return Stream.of(
                Arguments.of(
                        "the next commit word is cleared before a record is published",
                        whole.and(COMMIT_ZERO, "")
                                .and(
                                        "publish(kind, bodyBytes);\n        tail += recordBytes;",
                                        "publish(kind, bodyBytes); " + POINT + COMMIT_ZERO + " tail += recordBytes;")),
                Arguments.of(
                        "there is room for the next commit word",
                        whole.and(COMMIT_ZERO, POINT + COMMIT_ZERO)
                                .and("tail + skip + bytes + LaneLayout.WORD_BYTES;", "tail + skip + bytes;")),
                Arguments.of(
                        "the receiver is asked to ring",
                        whole.and(COMMIT_ZERO, POINT + COMMIT_ZERO)
                                .and("LaneLayout.wordRelease(memory, LaneLayout.WISH_AT, 1);", "")),
                Arguments.of(
                        "a record is published when its body is there",
                        whole.and(COMMIT_ZERO, POINT + COMMIT_ZERO)
                                .and(
                                        "view.put(frame);\n        commit(LaneLayout.FRAME, frame.length, bytes, next);",
                                        "commit(LaneLayout.FRAME, frame.length, bytes, next); " + POINT
                                                + "view.put(frame);")),
                Arguments.of(
                        "what is fetched has been read",
                        whole.and(COMMIT_ZERO, POINT + COMMIT_ZERO).and("capacity - (tail - head));", "capacity);")));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("mutants")
    @Tag("long")
    void shouldFindTheInterleavingThatARuleIsThereFor(String rule, Mutant mutant) {
        assertThatThrownBy(() -> {
                    explore(mutant, "8 24 16 24 8", 80, false, 3, 1);
                    explore(mutant, "8 8 8 8 8 8", 64, false, 3, 1);
                })
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseInstanceOf(RuntimeException.class);
    }

    @Test
    void shouldRefuseToExploreWhatIsNotInTheSourceAnyMore() {
        assertThatThrownBy(() -> explore(writer().and("no such access", POINT), "8", 80, false, 1, 1))
                .hasMessageContaining("a text that is not there: no such access");
    }
}
