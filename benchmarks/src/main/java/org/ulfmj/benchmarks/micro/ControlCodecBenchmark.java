package org.ulfmj.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The cost of encoding and decoding a revoke message. It carries the set of its communicator's members, here all of a
 * world of 4,096.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class ControlCodecBenchmark {
    private final ControlMessage revoke = new ControlMessage.Revoke(
            0x1122334455667788L, 0, Membership.initial(4096).slots(), 3);
    private final WireWriter out = new WireWriter(ControlCodec.MAX_BYTES);

    @Benchmark
    public ControlMessage encodeAndDecode() {
        out.clear();
        ControlCodec.encode(revoke, out);
        return ControlCodec.decode(new WireReader(out.toByteArray()));
    }
}
