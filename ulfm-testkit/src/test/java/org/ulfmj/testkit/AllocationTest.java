package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/** What a program's calls leave to the collector. */
class AllocationTest {
    private static final int EXCHANGES_A_WINDOW = 5_000;
    private static final int MAX_WINDOWS = 40;
    /** A {@link mpi.Status}, rounded up. */
    private static final int STATUS_BYTES = 48;

    @Test
    void shouldLeaveNothingButTheStatusOfABlockingExchange() {
        double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
        Worlds.run(2, (world, rank) -> {
            int other = 1 - rank;
            ByteBuffer buffer = ByteBuffer.allocateDirect(64);
            int[] stop = new int[1];
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long self = Thread.currentThread().getId();
            // Of the best window: what is not compiled yet is no steady state.
            for (int window = 0; window < MAX_WINDOWS && stop[0] == 0; window++) {
                long before = threads.getThreadAllocatedBytes(self);
                for (int i = 0; i < EXCHANGES_A_WINDOW; i++) {
                    if (rank == 0) {
                        world.send(buffer, 64, MPI.BYTE, other, 1);
                        world.recv(buffer, 64, MPI.BYTE, other, 1);
                    } else {
                        world.recv(buffer, 64, MPI.BYTE, other, 1);
                        world.send(buffer, 64, MPI.BYTE, other, 1);
                    }
                }
                double bytes = (threads.getThreadAllocatedBytes(self) - before) / (double) EXCHANGES_A_WINDOW;
                least[rank] = Math.min(least[rank], bytes);
                int[] mine = {least[rank] <= STATUS_BYTES ? 1 : 0};
                world.allReduce(mine, stop, 1, MPI.INT, MPI.MIN);
            }
        });
        assertThat(least[0]).as("bytes a send and a receive").isLessThanOrEqualTo(STATUS_BYTES);
        assertThat(least[1]).as("bytes a send and a receive").isLessThanOrEqualTo(STATUS_BYTES);
    }
}
