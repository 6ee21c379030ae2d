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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The mean cost of a step of the agreement's state machines, by the number of ranks. A step is a rank's call or the
 * delivery of a message; an agreement of n ranks is n calls and 2(n − 1) messages. No work of a step may be linear in
 * the ranks.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@State(Scope.Thread)
public class AgreementBenchmark {
    @Param({"16", "256", "4096", "65536", "131072"})
    public int ranks;

    private CoreWorld world;

    @Setup
    public void prepare() {
        world = new CoreWorld(ranks);
        // Runs one agreement that is not measured, and checks that it ends: every process decides.
        for (long step = 0; world.decided() < ranks; step++) {
            if (step > 4L * ranks) {
                throw new IllegalStateException("after " + step + " steps " + world.decided() + " have decided");
            }
            world.step();
        }
    }

    @Benchmark
    public void message() {
        world.step();
    }
}
