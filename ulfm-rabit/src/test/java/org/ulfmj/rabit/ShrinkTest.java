package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import mpi.MPI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.testkit.sim.SimWorld;

/** A job that goes on with fewer ranks: it makes its bootstrap phase again, which may depend on their number. */
class ShrinkTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 60);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final int RANKS = 4;
    private static final int VERSIONS = 4;

    private static RankSettings shrinking(RankSettings settings) {
        return settings.withReplace(
                new ReplaceTerms(false, RankSettings.DEFAULT_REPLACE_ROUNDS, RankSettings.DEFAULT_REPLACE_TIMEOUT_NS));
    }

    /**
     * Runs a program at one rank. Its model counts versions. What it computes follows from the present number of ranks,
     * and is checked.
     */
    private static void program(AtomicInteger smallest) throws Exception {
        Rabit.run(() -> {
            int ranks = Rabit.worldSize();
            int[] all = new int[ranks];
            Rabit.allgather(new int[] {Rabit.rank() + 1}, all);
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(all[rank]).isEqualTo(rank + 1);
            }
            int version = Rabit.loadCheckpoint();
            if (version > 0) {
                assertThat(ByteBuffer.wrap(Rabit.globalModel()).getInt()).isEqualTo(version);
            }
            for (; version < VERSIONS; version++) {
                int[] sum = {Rabit.rank() + version};
                Rabit.allreduce(sum, MPI.SUM);
                assertThat(sum[0]).isEqualTo(ranks * (ranks - 1) / 2 + ranks * version);
                Rabit.checkpoint(ByteBuffer.allocate(Integer.BYTES).putInt(0, version + 1));
            }
            smallest.accumulateAndGet(ranks, Math::min);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill:rank=any(1)@op=*",
                "kill:rank=any(2)@op=*",
                "kill:rank=1@v=2,seq=0; kill:rank=2@op=*#random(40)",
                "kill:rank=any(1)@op=*; crash:rank=any(1)@byte=random"
            })
    void shouldMakeTheBootstrapPhaseAgainWithTheRanksThatAreLeft(String faults) {
        AtomicInteger[] smallest = new AtomicInteger[(int) SEEDS];
        AtomicLong smaller = new AtomicLong();
        SimWorld.of(RANKS)
                .settings(ShrinkTest::shrinking)
                .faults(faults)
                .anyBuffering()
                .runSeeds(
                        FIRST,
                        FIRST + SEEDS - 1,
                        2,
                        seed -> {
                            AtomicInteger of = smallest[(int) (seed - FIRST)] = new AtomicInteger(RANKS);
                            return () -> program(of);
                        },
                        result -> {
                            if (smallest[(int) (result.seed() - FIRST)].get() < RANKS) {
                                smaller.incrementAndGet();
                            }
                        })
                .requireSuccess();
        assertThat(smaller).hasPositiveValue();
    }
}
