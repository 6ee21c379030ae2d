package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Test;

/**
 * Shows that objects which programs make and free again for hours do not pile up. All ranks live in this process, so
 * their memory is measured together.
 *
 * <p>With {@code -Dulfm.memory.ranks=4 -Dulfm.memory.rounds=100000} the test runs longer, before a release.
 */
class MemoryTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int RANKS = Integer.getInteger("ulfm.memory.ranks", 2);
    private static final boolean WHOLE = Boolean.getBoolean("tests.whole");
    private static final int ROUNDS = Integer.getInteger("ulfm.memory.rounds", WHOLE ? 10_000 : 2_000);
    /** In all, at each rank. */
    private static final int REQUESTS = (WHOLE ? 1_000_000 : 100_000) / ROUNDS;

    private static final long MOST_BYTES = 2 << 20;

    @Test
    void shouldNotGrowWhenCommunicatorsAreMadeRevokedShrunkAndFreedAndRequestsCompleted() {
        assertThat(grownAfterATenth(round -> {
                    Intracomm made = WORLD.dup();
                    made.revoke();
                    Intracomm shrunk = made.shrink();
                    exchange(shrunk);
                    made.free();
                    shrunk.free();
                }))
                .as("bytes that each rank holds more than after a tenth of %s rounds", ROUNDS)
                .isLessThan(MOST_BYTES);
    }

    @Test
    void shouldNotGrowWhenCommunicatorsAreMadeAndFreedUnused() {
        assertThat(grownAfterATenth(round -> {
                    Intracomm made = round % 3 == 0 ? WORLD.split(round, 0) : WORLD.dup();
                    if (round % 100 == 0) {
                        made.barrier();
                    }
                    made.free();
                }))
                .isLessThan(MOST_BYTES);
    }

    private static void exchange(Intracomm comm) {
        int size = comm.getSize();
        int rank = comm.getRank();
        IntBuffer out = MPI.newIntBuffer(1).put(0, rank);
        IntBuffer in = MPI.newIntBuffer(1);
        Request[] both = new Request[2];
        for (int i = 0; i < REQUESTS / 2; i++) {
            both[0] = comm.iRecv(in, 1, MPI.INT, (rank + size - 1) % size, 1);
            both[1] = comm.iSend(out, 1, MPI.INT, (rank + 1) % size, 1);
            Request.waitAll(both);
        }
    }

    /** Returns by how many bytes per rank the heap is larger at the end than after a tenth of the rounds. */
    private static long grownAfterATenth(Consumer<Integer> part) {
        long[] used = new long[2];
        survivorsSucceed(RANKS, rank -> {
            for (int tenth = 1; tenth <= 10; tenth++) {
                for (int round = 0; round < ROUNDS / 10; round++) {
                    part.accept(round);
                }
                WORLD.barrier();
                if (rank == 0 && (tenth == 1 || tenth == 10)) {
                    used[tenth / 10] = usedBytes();
                    System.out.printf("%,d bytes are in use after %d tenths%n", used[tenth / 10], tenth);
                }
                WORLD.barrier();
            }
        });
        return (used[1] - used[0]) / RANKS;
    }

    private static long usedBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            used = Math.min(
                    used,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return used;
    }
}
