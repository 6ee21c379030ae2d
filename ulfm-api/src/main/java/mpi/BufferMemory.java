package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of the buffers that a program asks for: lent to the ranks of its host where that is worth it, so that they
 * copy large messages straight out of it; else the program's alone. Any thread, also before {@link MPI#Init}.
 */
final class BufferMemory {
    /** Shorter messages are copied twice in no more time than it takes to offer them. */
    private static final int SMALLEST_LENT_BYTES = 16 * 1024;

    private BufferMemory() {}

    /** All 0, in native order. */
    static ByteBuffer allocate(int capacity, int elementBytes) {
        if (capacity < 0 || capacity > Integer.MAX_VALUE / elementBytes) {
            throw new IllegalArgumentException(
                    "capacity is " + capacity + "; allowed: 0 to " + Integer.MAX_VALUE / elementBytes);
        }
        int bytes = capacity * elementBytes;
        Rank rank = lender(bytes);
        ByteBuffer lent = rank == null ? null : rank.runtime().lend(bytes);
        return lent != null ? lent : ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** The view, by which messages are to find the memory too. */
    static <T> T viewed(ByteBuffer bytes, T view) {
        Rank rank = lender(bytes.capacity());
        if (rank != null) {
            rank.runtime().addView(bytes, view);
        }
        return view;
    }

    /** The rank that lends; null if so little is not worth it, or there is no rank yet. */
    private static Rank lender(int bytes) {
        return bytes < SMALLEST_LENT_BYTES ? null : Ranks.currentOrNull();
    }
}
