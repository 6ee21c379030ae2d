package org.ulfmj.benchmarks.micro;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.Request;
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

/**
 * The cost of a message of 8 bytes to the sending rank itself and of its receive, by the number of others: as many
 * other receives are posted, and as many other messages unexpected, none of which match.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class MatchingBenchmark {
    private static final int TAG = 1_000_000;

    @Param({"1", "100", "10000"})
    public int others;

    private final ByteBuffer out = ByteBuffer.allocateDirect(8);
    private final ByteBuffer in = ByteBuffer.allocateDirect(8);
    private Request[] requests;
    private ThreadWorld world;
    private Runnable named;
    private Runnable anySource;
    private Runnable anyTag;

    @Setup
    public void prepare() throws InterruptedException {
        world = new ThreadWorld(1, () -> {});
        requests = new Request[others];
        world.asRankZero(() -> {
                    for (int i = 0; i < others; i++) {
                        requests[i] = MPI.COMM_WORLD.iRecv(ByteBuffer.allocateDirect(8), 8, MPI.BYTE, 0, i);
                        MPI.COMM_SELF.send(out, 8, MPI.BYTE, 0, i);
                    }
                })
                .run();
        named = world.asRankZero(() -> exchange(0, TAG));
        anySource = world.asRankZero(() -> exchange(MPI.ANY_SOURCE, TAG));
        anyTag = world.asRankZero(() -> exchangeAnyTag());
    }

    @TearDown
    public void end() throws InterruptedException {
        world.asRankZero(() -> {
                    for (int i = 0; i < others; i++) {
                        MPI.COMM_WORLD.send(out, 8, MPI.BYTE, 0, i);
                        MPI.COMM_SELF.recv(in, 8, MPI.BYTE, 0, i);
                    }
                    Request.waitAll(requests);
                })
                .run();
        world.end();
    }

    /** Other receives are posted before the one that matches. */
    @Benchmark
    public void posted() {
        named.run();
    }

    @Benchmark
    public void postedForAnySource() {
        anySource.run();
    }

    /** Other messages are unexpected before the one that matches. */
    @Benchmark
    public void unexpected() {
        anyTag.run();
    }

    private void exchange(int source, int tag) {
        Request receive = MPI.COMM_WORLD.iRecv(in, 8, MPI.BYTE, source, tag);
        MPI.COMM_WORLD.send(out, 8, MPI.BYTE, 0, tag);
        receive.waitFor();
    }

    private void exchangeAnyTag() {
        MPI.COMM_SELF.send(out, 8, MPI.BYTE, 0, TAG);
        MPI.COMM_SELF.recv(in, 8, MPI.BYTE, 0, TAG);
    }
}
