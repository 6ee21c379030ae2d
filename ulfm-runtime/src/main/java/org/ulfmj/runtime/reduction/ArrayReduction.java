package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import org.ulfmj.transport.Payload;

/**
 * An operator that also combines elements in heap arrays of their type, which it alone knows. Any rank that combines
 * many vectors brings each into an array once, and the result out once; between two operators nothing goes back into
 * bytes.
 *
 * <p>All methods work from the beginning of an array that {@link #newArray} of a reduction of the same {@link #kind}
 * made.
 */
public interface ArrayReduction extends Reduction {
    /** More than any {@link #kind}. */
    int KINDS = 16;

    /** Which elements they are: reductions of one kind share arrays. */
    int kind();

    /** An array for this many elements. */
    Object newArray(int elements);

    /** Fills the array from the position of a buffer in native order, which moves. */
    void load(ByteBuffer from, Object array, int count);

    /** Fills the array from a program's memory, from a byte on; false, with nothing done, if that is no such array. */
    boolean load(Payload from, long offset, Object array, int count);

    /** For the first {@code count} elements: {@code inout[i] = lower[i] op inout[i]}. */
    void combine(Object lower, Object inout, int count);

    /** Writes the array to the position of a buffer in native order, which moves. */
    void store(Object array, int count, ByteBuffer to);

    /** Writes the array to a program's memory, from a byte on; false, with nothing done, if that is no such array. */
    boolean store(Object array, int count, Payload to, long offset);
}
