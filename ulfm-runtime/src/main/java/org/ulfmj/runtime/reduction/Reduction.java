package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;
import org.ulfmj.transport.Payload;

/** An operator over packed elements in native byte order, such as a reduction applies. */
public interface Reduction {
    /**
     * Combines the first {@code count} elements: {@code inout[i] = in[i] op inout[i]}; {@code in} has the elements of
     * the lower rank.
     */
    void apply(ByteBuffer in, ByteBuffer inout, int count);

    /**
     * Combines the first {@code count} elements: {@code result[i] = lower[i] op higher[i]}; {@code result} overlaps
     * neither of the two.
     */
    default void apply(ByteBuffer lower, ByteBuffer higher, ByteBuffer result, int count) {
        result.duplicate().put(higher.duplicate().limit(higher.position() + result.remaining()));
        apply(lower, result, count);
    }

    /**
     * Combines one element of this rank with that of the only other rank, straight in the program's memory; the result
     * is what {@link #apply(ByteBuffer, ByteBuffer, int)} gives. Returns false, and has done nothing, if the operator
     * or the type does not support that.
     *
     * @param own this rank's element; may be the same memory as the result
     * @param otherAt where the other rank's element begins in {@code other}; the buffer's position does not count
     * @param isOwnLower whether this rank is the lower one of the two
     */
    default boolean combineOne(Payload own, ByteBuffer other, int otherAt, boolean isOwnLower, Payload result) {
        return false;
    }

    boolean isCommutative();

    /**
     * Returns a number for the operator and its type, from 1 to 65535, by which ranks find out that their operators
     * differ; 0 if it has none.
     */
    default int code() {
        return 0;
    }

    /** Whether the operator runs the program's code, which must not happen under the engine lock. */
    boolean isUserCode();
}
