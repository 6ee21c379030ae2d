package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks that MPI calls allocate hardly more bytes than the objects that the program gets, a request or a status. Runs
 * two ranks with collectives in the shared memory of the host and with messages, and once with all over TCP.
 */
@Tag("long")
class AllocationIT {
    /**
     * How many bytes a call in shared memory may allocate besides the object that the program gets. Where ranks share
     * cores, each call may wait for the engine's lock, which queues threads in objects of 32 bytes.
     */
    private static final double MOST_BYTES_PER_CALL = 48;

    /**
     * How many bytes a call by messages may allocate besides the objects that the program gets. If the objects of an
     * operation were made for each call, they would have at least 600 bytes.
     */
    private static final double MOST_BYTES_BY_MESSAGES = 192;

    private static final int KINDS = 26;

    /** The collectives that use the shared memory of the host, if there is one. */
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

    /**
     * @param options of mpiexec
     * @param slackInMemory how many bytes a collective of {@link #IN_MEMORY} may allocate besides the program's object
     */
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
