package org.ulfmj.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.ulfmj.detector.BinomialGraph;

/** The cost of computing a rank's neighbours, about two per power of two up to the number of ranks. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class BinomialGraphBenchmark {
    @Param({"16", "256", "4096", "131072"})
    public int ranks;

    private int index;

    @Benchmark
    public int[] neighbours() {
        index = index + 1 < ranks ? index + 1 : 0;
        return BinomialGraph.neighbours(index, ranks);
    }
}
