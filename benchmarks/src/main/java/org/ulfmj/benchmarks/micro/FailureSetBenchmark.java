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
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.ProcessId;

/** The cost of the question whether a process has failed, by the number of failed processes. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class FailureSetBenchmark {
    private static final int SLOTS = 1 << 17;

    @Param({"0", "1", "100", "10000"})
    public int failures;

    private final FailureSet failed = new FailureSet();
    private final ProcessId[] asked = new ProcessId[1024];
    private int next;

    @Setup
    public void prepare() {
        Evidence evidence = new Evidence(Evidence.Kind.AGREED, ProcessId.of(0), "benchmark");
        for (int i = 0; i < failures; i++) {
            failed.markFailed(ProcessId.of(i * (SLOTS / Math.max(1, failures))), evidence, 0);
        }
        for (int i = 0; i < asked.length; i++) {
            asked[i] = ProcessId.of((i * 7919) % SLOTS);
        }
    }

    @Benchmark
    public boolean hasFailed() {
        return failed.hasFailed(asked[next++ & (asked.length - 1)]);
    }
}
