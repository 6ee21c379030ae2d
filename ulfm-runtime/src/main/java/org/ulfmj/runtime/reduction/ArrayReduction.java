package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import org.ulfmj.transport.Payload;

/**
 * An operator that also combines elements in heap arrays. Only the operator knows the type of these arrays. A rank that
 * combines many vectors copies each into an array once, and the result out of one once. Between two combinations
 * nothing is converted back into bytes.
 *
 * <p>All methods work from the beginning of an array that {@link #newArray} of a reduction of the same {@link #kind}
 * made.
 */
public interface ArrayReduction extends Reduction {
    /** More than any {@link #kind}. */
    int KINDS = 16;

    /** Returns the kind of the elements: reductions of one kind share arrays. */
    int kind();

    /** Makes an array for this many elements. */
    Object newArray(int elements);

    /** Fills the array from the position of a buffer in native order, which moves. */
    void load(ByteBuffer from, Object array, int count);

    /**
     * Fills the array from a program's memory, from a byte on. Returns false, with nothing done, if that memory is no
     * array of the same type.
     */
    boolean load(Payload from, long offset, Object array, int count);

    /** Combines the first {@code count} elements: {@code inout[i] = lower[i] op inout[i]}. */
    void combine(Object lower, Object inout, int count);

    /** Writes the array to the position of a buffer in native order, which moves. */
    void store(Object array, int count, ByteBuffer to);

    /**
     * Writes the array to a program's memory, from a byte on. Returns false, with nothing done, if that memory is no
     * array of the same type.
     */
    boolean store(Object array, int count, Payload to, long offset);
}
