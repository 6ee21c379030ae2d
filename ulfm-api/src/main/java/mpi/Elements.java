package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * What depends on the kind of a basic element: which arrays and buffers hold it, how it is copied to and from bytes in
 * native order, and the loops of the predefined operators.
 *
 * <p>The loops run on two heap arrays, a form that compilers can turn into vector code. Objects of this class are
 * immutable and shared by all threads.
 */
abstract class Elements {
    /** What {@link #capacity} says of an object that does not hold such elements. */
    static final int WRONG_TYPE = -1;

    /**
     * The most elements that {@link #write} and {@link #read} copy one by one where they would else make a typed view
     * of the other buffer.
     */
    static final int ELEMENT_WISE = 16;

    final String name;
    /** A power of two. */
    final int sizeBytes;

    /** The logarithm of {@link #sizeBytes} to base 2, for a shift in place of a division. */
    private final int sizeShift;

    private final Class<?> arrays;
    private final Set<Operator> operators;

    Elements(String name, int sizeBytes, Class<?> arrays, Set<Operator> operators) {
        this.name = name;
        this.sizeBytes = sizeBytes;
        this.sizeShift = Integer.numberOfTrailingZeros(sizeBytes);
        this.arrays = arrays;
        this.operators = operators;
    }

    /** Whether this many bytes are whole elements. */
    final boolean areWhole(long bytes) {
        return (bytes & sizeBytes - 1) == 0;
    }

    /** The number of whole elements in a number of bytes, which must not be negative. */
    final int in(long bytes) {
        return (int) (bytes >>> sizeShift);
    }

    /**
     * The number of elements that an array or a typed buffer holds, or {@link #WRONG_TYPE}. The buffer's position and
     * limit do not count.
     */
    abstract int capacity(Object buffer);

    final Object newArray(int length) {
        return Array.newInstance(arrays.getComponentType(), length);
    }

    /**
     * The buffer with its limit at its capacity, since MPI ignores position and limit: {@code buffer} itself if its
     * limit is there, as is usual, else a duplicate.
     */
    @SuppressWarnings("unchecked") // The duplicate of a buffer is a buffer of the same type.
    static <B extends Buffer> B whole(B buffer) {
        return buffer.limit() == buffer.capacity()
                ? buffer
                : (B) buffer.duplicate().clear();
    }

    /**
     * Copies {@code count} elements of {@code from}, from element {@code at} on, to the position of a target in native
     * order.
     */
    abstract void write(Object from, int at, ByteBuffer target, int count);

    /**
     * Copies {@code count} elements from the position of a source in native order to {@code into}, from element
     * {@code at} on.
     */
    abstract void read(Object into, int at, ByteBuffer source, int count);

    /**
     * Copies {@code count} elements of {@code from}, every {@code step}th one from element {@code at} on, to the
     * position of {@code target}, where they lie side by side.
     */
    void gather(Object from, int at, int step, ByteBuffer target, int count) {
        for (int i = 0; i < count; i++) {
            write(from, at + i * step, target, 1);
        }
    }

    /**
     * Copies {@code count} elements that lie side by side in {@code source} to {@code into}, to every {@code step}th
     * element from {@code at} on.
     */
    void scatter(Object into, int at, int step, ByteBuffer source, int count) {
        for (int i = 0; i < count; i++) {
            read(into, at + i * step, source, 1);
        }
    }

    /**
     * Fills the rest of a target in native order with bytes of {@code from}, from byte {@code at} on. The bytes may
     * begin and end inside an element, because a frame may do so: such an element is first copied to a small buffer.
     */
    final void writeBytes(Object from, long at, ByteBuffer target) {
        ByteBuffer one = null;
        while (target.hasRemaining()) {
            int within = (int) (at % sizeBytes);
            int whole = within == 0 ? target.remaining() / sizeBytes : 0;
            if (whole > 0) {
                int limit = target.limit();
                target.limit(target.position() + whole * sizeBytes);
                write(from, (int) (at / sizeBytes), target, whole);
                target.limit(limit);
                at += (long) whole * sizeBytes;
                continue;
            }
            one = one == null ? ByteBuffer.allocate(sizeBytes).order(ByteOrder.nativeOrder()) : one;
            int part = Math.min(sizeBytes - within, target.remaining());
            write(from, (int) (at / sizeBytes), one.clear(), 1);
            target.put(one.array(), within, part);
            at += part;
        }
    }

    /**
     * Copies all remaining bytes of a source in native order to {@code into}, an array or typed buffer of such
     * elements, from byte {@code at} on. The bytes may begin and end inside an element, as in {@link #writeBytes}.
     */
    final void readBytes(Object into, long at, ByteBuffer source) {
        ByteBuffer one = null;
        while (source.hasRemaining()) {
            int within = (int) (at % sizeBytes);
            int whole = within == 0 ? source.remaining() / sizeBytes : 0;
            if (whole > 0) {
                read(into, (int) (at / sizeBytes), source, whole);
                at += (long) whole * sizeBytes;
                continue;
            }
            one = one == null ? ByteBuffer.allocate(sizeBytes).order(ByteOrder.nativeOrder()) : one;
            int part = Math.min(sizeBytes - within, source.remaining());
            write(into, (int) (at / sizeBytes), one.clear(), 1);
            source.get(one.array(), within, part);
            read(into, (int) (at / sizeBytes), one.clear(), 1);
            at += part;
        }
    }

    /**
     * Sets {@code inout[i]} to {@code in[i] op inout[i]} for the first {@code count} elements of two arrays of this
     * kind.
     */
    abstract void combine(Operator operator, Object in, Object inout, int count);

    final boolean allows(Operator operator) {
        return operators.contains(operator);
    }

    final Set<Operator> operators() {
        return operators;
    }

    final IllegalStateException illegal(Operator operator) {
        return new IllegalStateException(operator + " was let through for elements of " + name);
    }
}
