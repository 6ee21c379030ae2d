package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of the buffers that a program asks for. Large memory is lent to the ranks of the host, which copy large
 * messages straight out of it; other memory is the program's alone. For any thread, also before {@link MPI#Init}.
 */
final class BufferMemory {
    /**
     * A buffer of fewer bytes is not put into lent memory. Its messages are so short that copying them twice takes no
     * longer than offering them.
     */
    private static final int SMALLEST_LENT_BYTES = 16 * 1024;

    private BufferMemory() {}

    /**
     * A new buffer, all 0, in native order.
     *
     * @param operation the program's call, for its error
     */
    static ByteBuffer allocate(String operation, int capacity, int elementBytes) {
        if (capacity < 0 || capacity > Integer.MAX_VALUE / elementBytes) {
            throw new IllegalArgumentException(
                    operation + ": capacity is " + capacity + "; allowed: 0 to " + Integer.MAX_VALUE / elementBytes);
        }
        int bytes = capacity * elementBytes;
        Rank rank = lender(bytes);
        ByteBuffer lent = rank == null ? null : rank.runtime().lend(bytes);
        return lent != null ? lent : ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Returns the view, which begins where the buffer does. If the buffer is lent, messages from the view find it, too.
     */
    static <T> T viewed(Buffer buffer, T view) {
        Rank rank = buffer.isDirect() ? Ranks.currentOrNull() : null;
        if (rank != null) {
            rank.runtime().addView(buffer, view);
        }
        return view;
    }

    /**
     * Returns the slice of a buffer from an element on. If the buffer is lent, large messages from the slice find it,
     * too.
     */
    static <T extends Buffer> T sliced(Buffer buffer, T slice, int offset, int elementBytes) {
        boolean mayBeLent = buffer.isDirect() && (long) slice.capacity() * elementBytes >= SMALLEST_LENT_BYTES;
        Rank rank = mayBeLent ? Ranks.currentOrNull() : null;
        if (rank != null) {
            rank.runtime().addSlice(buffer, slice, offset * elementBytes);
        }
        return slice;
    }

    /** Sets the position of a whole buffer, for a slice from there on. */
    static <T extends Buffer> T at(T buf, int offset) {
        requireOffset(buf == null ? -1 : buf.capacity(), offset);
        buf.clear().position(offset);
        return buf;
    }

    /** How many elements of an array are left for a slice from the offset on. */
    static int rest(Object array, int offset) {
        int length = array == null ? -1 : Array.getLength(array);
        requireOffset(length, offset);
        return length - offset;
    }

    private static void requireOffset(int capacity, int offset) {
        if (capacity < 0) {
            throw new IllegalArgumentException("slice: buf is null; allowed: a buffer or an array");
        }
        if (offset < 0 || offset > capacity) {
            throw new IllegalArgumentException("slice: offset is " + offset + "; allowed: 0 to " + capacity);
        }
    }

    /** The rank that lends the memory; null if the memory is too small to be worth it, or there is no rank yet. */
    private static Rank lender(int bytes) {
        return bytes < SMALLEST_LENT_BYTES ? null : Ranks.currentOrNull();
    }
}
