package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of the buffers that a program asks for. A large buffer lies, where possible, in lent memory: the other
 * ranks of the host can read it, and copy large messages straight out of it. Other memory is the program's alone. For
 * any thread, also before {@link MPI#Init}.
 */
final class BufferMemory {
    /** A buffer of fewer bytes is not put into lent memory. */
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
     * Returns the given view of a whole buffer. If the buffer is lent memory, messages from the view can be copied out
     * of it by their receivers, too.
     */
    static <T> T viewed(Buffer buffer, T view) {
        Rank rank = buffer.isDirect() ? Ranks.currentOrNull() : null;
        if (rank != null) {
            rank.runtime().addView(buffer, view);
        }
        return view;
    }

    /**
     * Returns the given slice of a buffer, which begins at element {@code offset}. If the buffer is lent memory and the
     * slice is large, messages from the slice can be copied out of it by their receivers, too.
     */
    static <T extends Buffer> T sliced(Buffer buffer, T slice, int offset, int elementBytes) {
        boolean mayBeLent = buffer.isDirect() && (long) slice.capacity() * elementBytes >= SMALLEST_LENT_BYTES;
        Rank rank = mayBeLent ? Ranks.currentOrNull() : null;
        if (rank != null) {
            rank.runtime().addSlice(buffer, slice, offset * elementBytes);
        }
        return slice;
    }

    /**
     * Sets the buffer's limit to its capacity and its position to {@code offset}, where a slice is to begin. Raises an
     * error for a null buffer or an offset outside of it.
     */
    static <T extends Buffer> T at(T buf, int offset) {
        requireOffset(buf == null ? -1 : buf.capacity(), offset);
        buf.clear().position(offset);
        return buf;
    }

    /**
     * How many elements an array has from {@code offset} on; raises an error for a null array or an offset outside of
     * it.
     */
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

    /**
     * The rank of the calling thread, which may lend the memory to other ranks; null if the memory is too small to be
     * lent, or the thread has no rank yet.
     */
    private static Rank lender(int bytes) {
        return bytes < SMALLEST_LENT_BYTES ? null : Ranks.currentOrNull();
    }
}
