package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Calls allocate no object of ours, compiled or not, beside what the program gets: a request, a status. So it is for
 * collectives in the memory of the host, for those that go by messages, and for messages of the program.
 */
@Tag("long")
class AllocationIT {
    /**
     * Where ranks share cores each call may wait for the engine's lock, which queues threads in objects of 32 bytes.
     */
    private static final double MOST_BYTES_PER_CALL = 48;

    private static final int KINDS = 26;

    @Test
    void shouldAllocateNothingPerCall() throws Exception {
        requireNothingPerCall("", KINDS);
    }

    @Test
    void shouldAllocateNothingPerCallOverTcp() throws Exception {
        requireNothingPerCall("--set ulfm.transport=tcp", KINDS);
    }

    private static void requireNothingPerCall(String options, int kinds) throws Exception {
        Ended job = Launched.run(Launched.program("-n 2 --timeout 200 " + options + " java", CountedCalls.class));

        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).hasSize(2 * kinds).allSatisfy(line -> {
            String[] words = line.split(" ");
            int objectBytes = Integer.parseInt(words[1]);
            double slack = (line.startsWith("i") ? 2 : 1) * MOST_BYTES_PER_CALL;
            assertThat(Double.parseDouble(words[2])).as(line).isLessThan(objectBytes + slack);
        });
    }
}
