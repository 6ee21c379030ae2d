package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that collective calls give the right values after calls that differed from them, beside other calls that are
 * under way, and after calls that have failed.
 */
class CollectivesInTurnTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 20 : 2);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final int THREADS = 3;
    private static final long SEEDS_OF_A_MUTANT = 20;
    private static final String KEPT = "org.ulfmj.runtime.collective.run.KeptCalls";
    private static final String PLAN = "org.ulfmj.runtime.collective.Plan";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 |",
                "4 |",
                "7 |",
                "4 | random",
                "5 | kill:rank=any(2)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)"
            })
    void shouldGiveTheRightValuesHoweverCallsDiffer(int ranks, String faults) {
        String wrong = CollectivesInTurnStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldGiveEachThreadItsValuesWhenSeveralCallAtOnce() {
        Worlds.run(3, (world, rank) -> {
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                List<Intracomm> comms = List.of(world.dup(), world.split(rank % 2, -rank));
                int number = thread;
                threads.add(CompletableFuture.runAsync(
                        MPI.bindThread(
                                () -> CollectivesInTurnStory.playBesideOthers(comms, number, FIRST * THREADS + number)),
                        run -> new Thread(run, "of rank " + rank).start()));
            }
            for (CompletableFuture<Void> thread : threads) {
                thread.get(120, TimeUnit.SECONDS);
            }
        });
    }

    static Stream<NeededRule> rules() {
        return NeededRule.under(
                "",
                without("inTurn", "a call has its objects for itself")
                        .in(KEPT, "KeptCall call = idle.pollLast();", "KeptCall call = idle.peekLast();"),
                without("inTurn", "a plan begins without the steps of the one before")
                        .in(PLAN, "end = 0;", ""));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(CollectivesInTurnStory.class.getName(), SEEDS_OF_A_MUTANT, 2, 4);
    }
}
