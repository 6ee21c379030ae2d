package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
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

    /**
     * A call by messages takes the lock twice, and again after each sleep. The objects of an operation had at least 600
     * bytes when they were made for each.
     */
    private static final double MOST_BYTES_BY_MESSAGES = 192;

    private static final int KINDS = 26;

    /** What goes through the memory of the host, where there is one. */
    private static final Set<String> IN_MEMORY = Set.of(
            "barrier",
            "bcast",
            "reduce",
            "allReduce",
            "allGather",
            "allToAll",
            "iBarrier",
            "iBcast",
            "iReduce",
            "iAllReduce",
            "iAllGather",
            "iAllToAll");

    @Test
    void shouldAllocateNothingPerCall() throws Exception {
        requireNothingPerCall("", MOST_BYTES_PER_CALL);
    }

    @Test
    void shouldAllocateNothingPerCallOverTcp() throws Exception {
        requireNothingPerCall("--set ulfm.transport=tcp", MOST_BYTES_BY_MESSAGES);
    }

    /** @param slackInMemory for collectives in the memory of the host, if the job has any */
    private static void requireNothingPerCall(String options, double slackInMemory) throws Exception {
        Ended job = Launched.run(Launched.program("-n 2 --timeout 200 " + options + " java", CountedCalls.class));

        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).hasSize(2 * KINDS).allSatisfy(line -> {
            String[] words = line.split(" ");
            int objectBytes = Integer.parseInt(words[1]);
            double slack = IN_MEMORY.contains(words[0]) ? slackInMemory : MOST_BYTES_BY_MESSAGES;
            double both = (line.startsWith("i") ? 2 : 1) * slack; // a started one is a second call that waits
            assertThat(Double.parseDouble(words[2])).as(line).isLessThan(objectBytes + both);
        });
    }
}
