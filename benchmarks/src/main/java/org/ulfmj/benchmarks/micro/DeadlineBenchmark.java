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
import org.ulfmj.agree.SurvivorCore;

/**
 * The cost of a rank's timers: the question for the next deadline, and a tick before it. There is no timer wheel: a
 * rank has so few deadlines that each protocol object keeps those it needs.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class DeadlineBenchmark {
    @Param({"16", "4096"})
    public int ranks;

    private CoreWorld world;
    private SurvivorCore core;
    private long nowNs;

    @Setup
    public void prepare() {
        world = new CoreWorld(ranks);
        core = world.core(1);
    }

    @Benchmark
    public long nextDeadline() {
        return core.nextDeadlineNs();
    }

    @Benchmark
    public void tickBeforeIt() {
        core.onTick(nowNs, world.outbox());
    }
}
