package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks every element of large vectors, by messages and by collectives, with different numbers of ranks, most of which
 * do not divide the length. With 1,024 MiB, the most, {@link LargeMessages} runs longer than a job of the tests may,
 * and is run by command: {@code bin/mpiexec -n 2 java -Xmx4g -XX:MaxDirectMemorySize=9g -cp
 * ulfm-launch/target/test-classes:ulfm-launch/target/classes org.ulfmj.launch.LargeMessages 1024}.
 */
class LargeMessagesIT {
    /** How many vectors a rank holds at a time, at most: two of {@code MPI.newIntBuffer}, and two in arrays. */
    private static final long VECTORS = 4;

    @ParameterizedTest
    @ValueSource(ints = {3, 7})
    void shouldMoveAndCombineEveryElement(int ranks) throws InterruptedException {
        run(ranks, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 5, 6, 8, 9, 10, 11, 12, 13})
    @Tag("release")
    void shouldDoSoAtAnyNumberOfRanks(int ranks) throws InterruptedException {
        run(ranks, 1);
    }

    @ParameterizedTest
    @CsvSource({"2, 256", "3, 256"})
    @Tag("release")
    void shouldDoSoWithLongVectors(int ranks, int mib) throws InterruptedException {
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        assumeThat(machine.getFreeMemorySize() >> 20).as("free MiB").isGreaterThan(VECTORS * ranks * mib);
        run(ranks, mib);
    }

    private static void run(int ranks, int mib) throws InterruptedException {
        Ended job = Launched.run(
                Launched.program("-n " + ranks + " --timeout 110 java", LargeMessages.class, Integer.toString(mib)));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(IntStream.range(0, ranks)
                        .mapToObj(rank -> "rank " + rank + " of " + ranks + ": " + mib + " MiB")
                        .toArray(String[]::new));
    }
}
