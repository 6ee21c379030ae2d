package org.ulfmj.testkit;

import java.nio.LongBuffer;
import mpi.MPI;

/**
 * Makes the lent buffers of a story: whole buffers of {@code MPI.newLongBuffer} if the seed is even, and slices of
 * larger ones if it is odd.
 */
final class LentBuffers {
    private static final int BEFORE = 24;

    private LentBuffers() {}

    static LongBuffer longs(int count, long seed) {
        return (seed & 1) == 0 ? MPI.newLongBuffer(count) : MPI.slice(MPI.newLongBuffer(BEFORE + count), BEFORE);
    }
}
