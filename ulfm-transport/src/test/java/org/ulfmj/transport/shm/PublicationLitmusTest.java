package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.EndWithParent;
import org.ulfmj.transport.host.HostProcess;

/**
 * Two processes over one mapped file: a reader that sees a commit word sees everything that was written before it. The
 * memory model promises that for threads, and no specification promises it for processes. {@code -Dshm.litmusSeconds}
 * sets how long the test of the right order runs.
 */
@Timeout(3600)
class PublicationLitmusTest {
    private static final long SECONDS = Long.getLong("shm.litmusSeconds", 2);
    private static final int ENOUGH = 3;
    private static final int LEAST = 100;
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);

    @TempDir
    Path base;

    /** The process that writes. */
    static final class Producer {
        private Producer() {}

        public static void main(String[] args) throws IOException {
            EndWithParent.watch();
            ShmDirectory directory = ShmDirectory.open(Path.of(args[0]));
            try (ShmFiles files = new ShmFiles(directory, ZERO, HostProcess.self(), Long.MAX_VALUE)) {
                ShmSegment segment = files.create(ONE, Litmus.BYTES);
                System.out.println(segment.id());
                new Litmus(segment.memory()).produce(Boolean.parseBoolean(args[1]));
            }
        }
    }

    @Test
    void shouldSeeAllThatWasWrittenBeforeACommit() throws IOException, InterruptedException {
        long[] wholeAndTorn = run(false, TimeUnit.SECONDS.toNanos(SECONDS));

        System.out.printf("publication litmus: %d records, %d torn%n", wholeAndTorn[0], wholeAndTorn[1]);
        assertThat(wholeAndTorn[1]).as("torn records").isZero();
        assertThat(wholeAndTorn[0]).as("whole records").isGreaterThanOrEqualTo(LEAST);
    }

    @Test
    void shouldNoticeAProducerThatCommitsTooEarly() throws IOException, InterruptedException {
        assertThat(run(true, TimeUnit.SECONDS.toNanos(50))[1]).isPositive();
    }

    /**
     * Returns how many records were whole and how many were torn. The run ends early once enough torn ones were seen.
     */
    private long[] run(boolean isBroken, long durationNs) throws IOException, InterruptedException {
        // Uses /dev/shm if there is one, because files on a disk take another way through the kernel.
        Path shm = Path.of("/dev/shm");
        Path place = shm.toFile().isDirectory() ? shm : base;
        ShmDirectory directory = ShmDirectory.create(
                ShmDirectory.pathFor(place, "litmus" + ProcessHandle.current().pid()));
        try (ShmFiles files = new ShmFiles(directory, ONE, HostProcess.self(), Long.MAX_VALUE)) {
            ChildProcess child =
                    ChildProcess.start(Producer.class, directory.path().toString(), Boolean.toString(isBroken));
            try {
                HostProcess owner = child.owner();
                Litmus litmus = new Litmus(files.open(ZERO, owner, Long.parseLong(child.readLine()))
                        .memory());
                long endNs = System.nanoTime() + durationNs;
                long giveUpNs = endNs + TimeUnit.SECONDS.toNanos(60);
                long[] wholeAndTorn = new long[2];
                for (long number = 1;
                        wholeAndTorn[1] < ENOUGH && (System.nanoTime() - endNs < 0 || number <= LEAST);
                        number++) {
                    wholeAndTorn[litmus.consume(number, giveUpNs) ? 0 : 1]++;
                }
                litmus.stop();
                assertThat(child.exitCode()).isZero();
                return wholeAndTorn;
            } finally {
                child.kill();
            }
        } finally {
            directory.remove();
        }
    }
}
