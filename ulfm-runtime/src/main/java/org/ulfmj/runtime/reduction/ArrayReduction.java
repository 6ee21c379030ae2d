package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import org.ulfmj.transport.Payload;

/**
 * An operator that can also combine elements in heap arrays; only the operator knows the type of these arrays. So a
 * rank that combines many vectors copies each of them into an array once, and the result out of an array once. Between
 * two combinations nothing is converted back into bytes.
 *
 * <p>All methods start at the first element of an array that was made by {@link #newArray} of a reduction of the same
 * {@link #kind}.
 */
public interface ArrayReduction extends Reduction {
    /** More than any {@link #kind}. */
    int KINDS = 16;

    /** Returns the number of the elements' kind; reductions of one kind share arrays. */
    int kind();

    /** Makes an array for this many elements. */
    Object newArray(int elements);

    /**
     * Fills the array with {@code count} elements from the buffer's position on, which moves forward. The buffer is in
     * native byte order.
     */
    void load(ByteBuffer from, Object array, int count);

    /**
     * Fills the array from the program's memory, from byte {@code offset} on. Returns false and does nothing if that
     * memory is no array of the same type.
     */
    boolean load(Payload from, long offset, Object array, int count);

    /** Combines the first {@code count} elements of two arrays: {@code inout[i] = lower[i] op inout[i]}. */
    void combine(Object lower, Object inout, int count);

    /**
     * Writes {@code count} elements of the array to the buffer's position, which moves forward. The buffer is in native
     * byte order.
     */
    void store(Object array, int count, ByteBuffer to);

    /**
     * Writes the array to the program's memory, from byte {@code offset} on. Returns false and does nothing if that
     * memory is no array of the same type.
     */
    boolean store(Object array, int count, Payload to, long offset);
}
