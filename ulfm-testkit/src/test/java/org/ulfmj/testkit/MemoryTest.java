package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;

import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/** What programs make and free again for hours must not pile up. Both ranks live in this process, and count together. */
class MemoryTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int ROUNDS = 10_000;

    @Test
    void shouldKeepLittleMoreThanTheIdOfACommunicatorThatWasFreed() {
        long bytes = bytesPerRound(round -> {
            Intracomm made = round % 3 == 0 ? WORLD.split(round, 0) : WORLD.dup();
            if (round % 100 == 0) {
                made.barrier();
            }
            made.free();
        });
        assertThat(bytes).as("bytes a round at both ranks").isLessThan(200);
    }

    @Test
    void shouldKeepOneDecisionOfAFreedCommunicatorThatAgreed() {
        long bytes = bytesPerRound(round -> {
            Intracomm made = WORLD.dup();
            made.agree(1);
            made.free();
        });
        assertThat(bytes).as("bytes a round at both ranks").isLessThan(2000);
    }

    @Test
    void shouldKeepTheRevocationAndTheDecisionOfACommunicatorThatWasRevokedAndShrunk() {
        Intracomm[] current = new Intracomm[2];
        long bytes = bytesPerRound(round -> {
            int rank = WORLD.getRank();
            Intracomm old = current[rank] == null ? WORLD.dup() : current[rank];
            old.revoke();
            current[rank] = old.shrink();
            old.free();
        });
        assertThat(bytes).as("bytes a round at both ranks").isLessThan(3000);
    }

    /** What the heap grows by from round 1,000 on. */
    private static long bytesPerRound(Consumer<Integer> part) {
        long[] grown = new long[1];
        LocalWorld.run(2, program(rank -> {
                    for (int round = 0; round < 1000; round++) {
                        part.accept(round);
                    }
                    WORLD.barrier();
                    long before = rank == 0 ? usedBytes() : 0;
                    WORLD.barrier();
                    for (int round = 0; round < ROUNDS; round++) {
                        part.accept(round);
                    }
                    WORLD.barrier();
                    if (rank == 0) {
                        grown[0] = usedBytes() - before;
                    }
                    WORLD.barrier();
                }))
                .requireSurvivorsSucceeded();
        return grown[0] / ROUNDS;
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
