package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.ProcessResult;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A job of the recovery mode in simulated time that processes join, and in which ranks may die. In each version the
 * ranks divide the same numbers anew, so the model is a function of the version alone, and an operation that was made
 * by ranks of two different worlds, or a version that was made twice, shows in it. Public, since the world of a mutant
 * calls it.
 */
public final class GrowingStory {
    private static final int JOINERS = 2;
    private static final int VERSIONS = 12;
    private static final int OPERATIONS = 2;
    private static final int NUMBERS = 60;
    private static final long MODULUS = 1_000_003;

    /** The last models of the processes that came to the end. */
    private final Queue<Long> models = new ConcurrentLinkedQueue<>();
    /** The most ranks with which this job has committed a version. */
    private final AtomicInteger most = new AtomicInteger();

    private GrowingStory() {}

    /**
     * Runs jobs with the seeds of a range, and stops soon after ten have failed. Returns what was wrong with one that
     * failed, or an empty text if none did.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return run(first, last, ranks, faults, new AtomicInteger());
    }

    /** @param grown is increased by one per run in which some version was committed by more ranks than began */
    static String run(long first, long last, int ranks, String faults, AtomicInteger grown) {
        GrowingStory[] stories = new GrowingStory[(int) (last - first + 1)];
        Seeds seeds = SimWorld.of(ranks)
                .joining(JOINERS)
                .faults(faults)
                .anyBuffering()
                .runSeeds(
                        first, last, 2, seed -> (stories[(int) (seed - first)] = new GrowingStory())::main, result -> {
                            GrowingStory story = stories[(int) (result.seed() - first)];
                            grown.addAndGet(story.most.get() > ranks ? 1 : 0);
                            story.check(result);
                        });
        return seeds.failures().isEmpty()
                ? ""
                : "seed " + seeds.failures().get(0).seed() + ": "
                        + seeds.failures().get(0).thrown();
    }

    private void main() throws Exception {
        long[] model = new long[1];
        Rabit.run(() -> {
            int ranks = Rabit.worldSize();
            int[] all = new int[ranks];
            Rabit.allgather(new int[] {Rabit.rank() + 1}, all); // the shape of its result goes by the number of ranks
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(all[rank]).isEqualTo(rank + 1);
            }
            int version = Rabit.loadCheckpoint();
            model[0] = version == 0 ? 0 : ByteBuffer.wrap(Rabit.globalModel()).getLong();
            assertThat(model[0]).isEqualTo(expectedModel(version));
            for (; version < VERSIONS; version++) {
                for (int operation = 0; operation < OPERATIONS; operation++) {
                    model[0] = next(model[0], sumOfNumbers(ranks));
                }
                Rabit.checkpoint(ByteBuffer.allocate(Long.BYTES).putLong(0, model[0]));
                most.accumulateAndGet(ranks, Math::max);
            }
        });
        models.add(model[0]);
    }

    private static long sumOfNumbers(int ranks) {
        long[] sum = {0};
        for (int number = 1 + Rabit.rank(); number <= NUMBERS; number += ranks) {
            sum[0] += number;
        }
        Rabit.allreduce(sum, MPI.SUM);
        return sum[0];
    }

    private static long next(long model, long sum) {
        return (model * 31 + sum) % MODULUS;
    }

    private static long expectedModel(int version) {
        long model = 0;
        for (int operation = 0; operation < version * OPERATIONS; operation++) {
            model = next(model, NUMBERS * (NUMBERS + 1) / 2);
        }
        return model;
    }

    private void check(SimResult result) {
        int finished = 0;
        for (ProcessResult process : result.processes()) {
            RankEnd end = process.outcome().end();
            if (end != RankEnd.FINALIZED && end != RankEnd.KILLED && end != RankEnd.NOT_ADMITTED) {
                throw new AssertionError(
                        "process " + process.id() + " ended otherwise: " + process.outcome(),
                        process.outcome().thrown());
            }
            finished += end == RankEnd.FINALIZED ? 1 : 0;
        }
        assertThat(finished).as("processes that came to the end").isPositive();
        assertThat(models).hasSizeGreaterThanOrEqualTo(finished).containsOnly(expectedModel(VERSIONS));
    }
}
