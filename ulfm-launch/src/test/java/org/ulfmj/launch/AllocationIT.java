package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Collectives in the memory of the host allocate no object of ours per call, compiled or not; those that are started
 * and waited for at once, only their request.
 */
@Tag("long")
class AllocationIT {
    /**
     * Where ranks share cores each call may wait for the engine's lock, which queues threads in objects of 32 bytes.
     */
    private static final double MOST_BYTES_PER_CALL = 48;

    /** A request has 24, and both its calls may wait for the lock. */
    private static final double MOST_BYTES_PER_REQUEST = 24 + 2 * MOST_BYTES_PER_CALL;

    private static final int KINDS = 12;

    @Test
    void shouldAllocateNothingPerCollectiveCall() throws Exception {
        Ended job = Launched.run(Launched.program("-n 2 --timeout 100 java", CountedCalls.class));

        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).hasSize(2 * KINDS).allSatisfy(line -> {
            String[] words = line.split(" ");
            assertThat(Double.parseDouble(words[1]))
                    .as(line)
                    .isLessThan(line.startsWith("i") ? MOST_BYTES_PER_REQUEST : MOST_BYTES_PER_CALL);
        });
    }
}
