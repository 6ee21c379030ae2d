package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;

/**
 * The cost of putting a frame into a lane's ring, taking it out again and copying it to a buffer, by one thread. So no
 * cache line has to move between cores.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class LaneBenchmark {
    private static final int MEMORY_BYTES = 1 << 18;

    @Param({"8", "65536"})
    public int bytes;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.nativeOrder());
    private final ByteBuffer target = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());
    private final Frame received = new Frame();
    private RingWriter writer;
    private RingReader reader;
    private Frame frame;

    @Setup
    public void prepare() {
        writer = new RingWriter(memory);
        reader = new RingReader(memory.duplicate().order(ByteOrder.nativeOrder()));
        frame = new Frame().writeMessage(0, 0, 0, 0, new BufferPayload(ByteBuffer.allocateDirect(bytes)), bytes);
    }

    @Benchmark
    public int offerAndPoll() {
        if (!writer.write(frame) || !reader.next()) {
            throw new IllegalStateException("the ring is full, or shows nothing of what was written");
        }
        reader.read(received);
        target.clear();
        target.put(received.received());
        reader.release();
        return target.position();
    }
}
