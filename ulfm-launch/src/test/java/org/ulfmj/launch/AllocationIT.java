package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** Blocking collectives in the memory of the host allocate no object of ours per call, compiled or not. */
@Tag("long")
class AllocationIT {
    /**
     * Where ranks share cores each call may wait for the engine's lock, which queues threads in objects of 32 bytes.
     */
    private static final double MOST_BYTES_PER_CALL = 48;

    private static final int KINDS = 6;

    @Test
    void shouldAllocateNothingPerCollectiveCall() throws Exception {
        Ended job = Launched.run(Launched.program("-n 2 --timeout 100 java", CountedCalls.class));

        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).hasSize(2 * KINDS).allSatisfy(line -> {
            String[] words = line.split(" ");
            assertThat(Double.parseDouble(words[1])).as(line).isLessThan(MOST_BYTES_PER_CALL);
        });
    }
}
