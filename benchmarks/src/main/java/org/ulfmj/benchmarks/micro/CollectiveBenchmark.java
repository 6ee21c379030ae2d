package org.ulfmj.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import mpi.MPI;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of an allreduce of one number by ranks that are threads of one process. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class CollectiveBenchmark {
    @Param({"1", "2", "4"})
    public int ranks;

    private final double[] sum = new double[2];
    private ThreadWorld world;
    private Runnable allReduce;

    @Setup
    public void prepare() throws InterruptedException {
        world = new ThreadWorld(ranks, CollectiveBenchmark::follow);
        allReduce = world.asRankZero(() -> MPI.COMM_WORLD.allReduce(sum, 1, MPI.DOUBLE, MPI.MAX));
    }

    @TearDown
    public void end() throws InterruptedException {
        sum[0] = 1;
        allReduce.run();
        world.end();
    }

    @Benchmark
    public void allReduce() {
        allReduce.run();
    }

    /** Takes part as a rank other than 0 in one allreduce after another, until a result tells that it was the last. */
    private static void follow() {
        double[] last = new double[1];
        while (last[0] == 0) {
            MPI.COMM_WORLD.allReduce(last, 1, MPI.DOUBLE, MPI.MAX);
        }
    }
}
