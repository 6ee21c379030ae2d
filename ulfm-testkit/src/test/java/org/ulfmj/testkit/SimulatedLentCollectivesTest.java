package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.nio.LongBuffer;
import java.util.stream.Stream;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests collectives on lent memory in simulated time. A receiver copies lent memory in pieces, and anything may happen
 * between two pieces: no collective that succeeds may have a value that the owner of the memory wrote after its own
 * call had ended, whichever rank fails, and no rank may hang. Also shows that each of the rules H12, H14 and H15 of
 * docs/inside/host-collectives.md is needed: without the rule some seed fails.
 */
class SimulatedLentCollectivesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 15);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 400;
    /** The number of longs of a part, which is large enough for other ranks to read them in lent memory. */
    private static final int LONGS = 2_048;
    /**
     * How many collectives a run with one buffer makes: more than the first few of a communicator, which go by messages
     * also where its members share memory later.
     */
    private static final int ROUNDS = 12;

    private static final String STORY = "org.ulfmj.testkit.LentCollectivesStory";
    private static final String PARTS = "org.ulfmj.runtime.host.LentParts";

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
        String wrong = LentCollectivesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    /**
     * Uses the same buffer to send and to receive in allToAll. A program should not do so; but it works when data goes
     * by messages, and so must work on lent memory, too.
     */
    @Test
    void shouldExchangeInOneBuffer() {
        Seeds seeds = SimWorld.of(3)
                .runSeeds(
                        FIRST,
                        FIRST + SEEDS - 1,
                        1,
                        each -> SimulatedLentCollectivesTest::exchangeInOneBuffer,
                        result -> result.ends().requireSurvivorsSucceeded());

        assertThat(seeds.failures()).isEmpty();
    }

    private static void exchangeInOneBuffer() throws MPIException {
        MPI.Init(new String[0]);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        LongBuffer both = MPI.newLongBuffer(size * LONGS);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < size * LONGS; i++) {
                both.put(i, value(round, rank, i / LONGS));
            }
            MPI.COMM_WORLD.allToAll(both, LONGS, MPI.LONG, both, LONGS, MPI.LONG);
            for (int i = 0; i < size * LONGS; i++) {
                assertThat(both.get(i)).isEqualTo(value(round, i / LONGS, rank));
            }
        }
        MPI.Finalize();
    }

    private static long value(int round, int from, int to) {
        return (round * 10L + from) * 10 + to;
    }

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                "",
                without("H12", "no rank goes on before all have read").in(PARTS, "group.awaitAll(over);", ""),
                without("H14", "who could not read says so").in(PARTS, "isRead ? READ : NOT_READ", "READ"),
                without("H14", "all go the other way if one could not read")
                        .in(PARTS, "isRead &= group.placeOf(over, rank) == READ;", ""),
                without("H15", "no rank reads unless all have lent theirs")
                        .in(PARTS, "ranksIn(number) == group.size()", "isInAny(number)"),
                without("H15", "who has not begins anew where others have")
                        .in(PARTS, "return ranksIn(operation) > 0;", "return false;"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 4, 3);
    }
}
