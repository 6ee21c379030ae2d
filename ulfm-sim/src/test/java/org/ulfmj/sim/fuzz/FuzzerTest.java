package org.ulfmj.sim.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FuzzerTest {
    private static final long LIMIT_NS = 20_000_000;
    private static final byte[] KEPT = {1};
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** A parser that runs the given action for the input {@link #KEPT}, and accepts each other input at once. */
    private record Target(Runnable otherwise) implements FuzzTarget {
        @Override
        public List<byte[]> samples() {
            return List.of(new byte[] {2, 2});
        }

        @Override
        public void parse(byte[] input) {
            if (input.length == KEPT.length && input[0] == KEPT[0]) {
                otherwise.run();
            }
        }
    }

    private static Fuzzer.Count run(Runnable otherwise) {
        return new Fuzzer(new Target(otherwise), LIMIT_NS).run(List.of(KEPT), 1, 0);
    }

    @Test
    void shouldNotBlameAParserThatWaitsForACore() {
        Fuzzer.Count count = run(() -> {
            long untilNs = System.nanoTime() + 2 * LIMIT_NS;
            while (untilNs - System.nanoTime() > 0) {
                LockSupport.parkNanos(untilNs - System.nanoTime());
            }
        });
        assertThat(count.fault()).isNull();
        assertThat(count.accepted()).isPositive();
    }

    @Test
    void shouldBlameAParserThatTakesTooLong() {
        Fuzzer.Count count = run(() -> {
            long untilNs = THREADS.getCurrentThreadCpuTime() + 2 * LIMIT_NS;
            while (untilNs - THREADS.getCurrentThreadCpuTime() > 0) {
                Thread.onSpinWait();
            }
        });
        assertThat(count.isSound()).isFalse();
        assertThat(count.fault()).matches("kept input 01: parsing took \\d+ ms");
    }
}
