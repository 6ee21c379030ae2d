package org.ulfmj.benchmarks.micro;

import java.lang.reflect.Array;
import java.util.concurrent.TimeUnit;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.Op;
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

/** The cost of combining 8 KiB into 8 KiB, by type and operator. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class ReductionBenchmark {
    private static final int BYTES = 8192;

    @Param({"BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE"})
    public String type;

    @Param({"SUM", "MAX", "BAND"})
    public String operator;

    private ThreadWorld world;
    private Runnable combining;
    private Object mine;
    private Object both;
    private int count;
    private Datatype datatype;
    private Op op;

    @Setup
    public void prepare() throws InterruptedException {
        datatype = switch (type) {
            case "BYTE" -> MPI.BYTE;
            case "SHORT" -> MPI.SHORT;
            case "INT" -> MPI.INT;
            case "LONG" -> MPI.LONG;
            case "FLOAT" -> MPI.FLOAT;
            default -> MPI.DOUBLE;
        };
        boolean isFloating = type.equals("FLOAT") || type.equals("DOUBLE");
        // Floating numbers have no bitwise AND, so their product is measured in its place.
        op = operator.equals("SUM") ? MPI.SUM : operator.equals("MAX") ? MPI.MAX : isFloating ? MPI.PROD : MPI.BAND;
        count = BYTES / datatype.getSize();
        mine = array();
        both = array();
        world = new ThreadWorld(1, () -> {});
        combining = world.asRankZero(() -> Comm.reduceLocal(mine, both, count, datatype, op));
    }

    @TearDown
    public void end() throws InterruptedException {
        world.end();
    }

    private Object array() {
        Class<?> element =
                switch (type) {
                    case "BYTE" -> byte.class;
                    case "SHORT" -> short.class;
                    case "INT" -> int.class;
                    case "LONG" -> long.class;
                    case "FLOAT" -> float.class;
                    default -> double.class;
                };
        return Array.newInstance(element, count);
    }

    @Benchmark
    public Object combine() {
        combining.run();
        return both;
    }
}
