package org.ulfmj.rabit;

import java.nio.ByteBuffer;

/**
 * Combines items of the program's own, such as records of fixed length. Must be associative, treat each item by itself,
 * and depend on nothing else: a result that is lost is computed again, and must come out with the same bits. An
 * exception that it throws ends the job, with fault tolerance by a {@link RabitException} at every rank, because a
 * restarted rank would meet the exception again.
 */
@FunctionalInterface
public interface Reducer {
    /**
     * For each of the first {@code count} items: {@code inOut = in op inOut}, where {@code in} comes from lower ranks.
     *
     * @param in packed items in native order, from position 0; not to be changed or kept
     * @param inOut packed items in native order, from position 0; to be changed and not kept
     */
    void reduce(ByteBuffer in, ByteBuffer inOut, int count);
}
