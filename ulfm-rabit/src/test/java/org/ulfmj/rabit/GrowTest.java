package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests jobs that processes join, most of them with deaths: at calls, at messages, at named points of a recovery or a
 * commit. In the simulated jobs the ranks that come to the end have the model of a job that no process joins or leaves.
 */
class GrowTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 100);
    private static final long FIRST = Long.getLong("sim.first", 1);

    @Test
    void shouldRefuseASpillWhichBelongsToOneNumberOfRanks() {
        Queue<String> refused = new ConcurrentLinkedQueue<>();
        LocalWorld.of(2).joining(1).run(() -> {
            try {
                Rabit.init("ulfm.rabit.spill=/nowhere");
            } catch (IllegalArgumentException e) {
                refused.add(e.getMessage());
            }
        });
        assertThat(refused).hasSize(2).allSatisfy(text -> assertThat(text)
                .startsWith("ulfm.rabit.spill is for jobs of a fixed number of ranks"));
    }

    /** In the job of this seed the numbers that stand for the members {2} and {2, 3} must differ. */
    @Test
    void shouldTellEveryWorldFromEveryOther() {
        assertThat(GrowingStory.run(100_117L, 100_117L, 3, "kill:rank=any(2)@op=*"))
                .isEmpty();
    }

    /**
     * A process that comes in would have no local model. So it is not let into a job with local models, and waits in
     * vain.
     */
    @Test
    void shouldKeepItsRanksWithLocalModels() {
        LocalResult result = LocalWorld.of(2)
                .joining(1)
                .run(() -> Rabit.run(() -> {
                    for (int version = Rabit.loadCheckpoint(); version < 3; version++) {
                        Rabit.checkpoint(new byte[1], new byte[1]);
                        while (version == 0 && MPI.numWaiting() == 0) {
                            Thread.onSpinWait();
                        }
                        assertThat(Rabit.worldSize()).isEqualTo(2);
                    }
                }));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1|",
                "2|",
                "3|kill:rank=any(2)@op=*",
                "3|crash:rank=any(2)@byte=random",
                "3|crash:rank=any(2)@frame=random(200)",
                "2|kill:rank=2@point=rabit.fetch#1",
                "3|kill:rank=0@point=rabit.recover#1; kill:rank=3@point=rabit.recover#1",
                "3|kill:rank=1@point=rabit.after-commit#3; kill:rank=any(1)@op=*",
                "3|kill:rank=1@op=grow#1; kill:rank=3@point=rabit.before-commit#1",
            })
    void shouldHaveTheModelOfAJobOfFixedSize(int ranks, String faults) {
        AtomicInteger grown = new AtomicInteger();
        String wrong = GrowingStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults, grown);
        System.out.println(SEEDS + " jobs, faults \"" + faults + "\": " + grown + " have grown");
        assertThat(wrong).isEmpty();
        assertThat(grown).hasPositiveValue();
    }
}
