package org.ulfmj.benchmarks.micro;

import java.util.List;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * The cost of the hooks of fault injection in the calls of a rank. {@code absent} is the runtime with the hooks taken
 * out of its source, {@code off} the runtime as it is shipped, in a job without a plan, and {@code planned} the same
 * with a fault at a call that never comes. {@code absent} needs the project's sources and a Java compiler.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
@State(Scope.Thread)
public class InjectionBenchmark {
    private static final Mutant CALLS = Mutant.of(
            "begin of a call",
            "org.ulfmj.runtime.RankRuntime",
            "        if (faultPoints != null) {\n            engine.meetCall(operation);\n        }\n",
            "");

    private static final Mutant WAITS = Mutant.of(
                    "wait and end of a call",
                    "org.ulfmj.runtime.RankEngine",
                    "        if (faultPoints != null) {\n            meet(faultPoints.onWait());\n        }\n",
                    "")
            .and(
                    "        if (faultPoints != null) {\n            leaveByFaultPoint();\n            return;\n        }\n",
                    "");

    @Param({"absent", "off", "planned"})
    public String hooks;

    private Runnable message;
    private Runnable probe;
    private Runnable end;

    @Setup
    @SuppressWarnings("unchecked")
    public void prepare() {
        List<Mutant> without = hooks.equals("absent") ? List.of(CALLS, WAITS) : List.of();
        List<Runnable> world = (List<Runnable>) new MutantLoader(without)
                .call(InjectedWorld.class.getName(), "begin", Boolean.valueOf(hooks.equals("planned")));
        message = world.get(0);
        probe = world.get(1);
        end = world.get(2);
    }

    @TearDown
    public void end() {
        end.run();
    }

    /** A message of 8 bytes that the rank sends to itself, and its receive: two calls. */
    @Benchmark
    public void message() {
        message.run();
    }

    /** One call that finds no message. */
    @Benchmark
    public void probe() {
        probe.run();
    }
}
