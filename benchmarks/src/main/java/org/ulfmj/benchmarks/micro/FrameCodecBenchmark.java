package org.ulfmj.benchmarks.micro;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/** The cost of writing a frame with 8 bytes of payload, and of reading it again without a copy of the payload. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class FrameCodecBenchmark {
    private final ByteBuffer wire = ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN);
    private final Frame sent = new Frame();
    private final Frame received = new Frame();

    @Setup
    public void prepare() {
        sent.writeMessage(0, 0, 0, 7, new BufferPayload(ByteBuffer.allocateDirect(8)), 8);
    }

    @Benchmark
    public int writeAndRead() {
        wire.clear();
        FrameLayout.write(sent, wire);
        wire.flip();
        return FrameLayout.read(received, wire).payloadBytes();
    }
}
