package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Everything that depends on the kind of a basic element: which arrays and buffers hold it, how it is copied to and
 * from bytes in native order, and the loops of the predefined operators.
 *
 * <p>The loops run on two heap arrays, one method per type and operator: every compiler that was tried turns this form
 * into vector code. Objects of this class are stateless and shared by all threads.
 */
abstract class Elements {
    /** What {@link #capacity} says of an object that does not hold such elements. */
    static final int WRONG_TYPE = -1;

    /** Up to this many elements a loop is cheaper than making a typed view, and allocates nothing. */
    static final int ELEMENT_WISE = 16;

    final String name;
    /** A power of two. */
    final int sizeBytes;

    /** The exponent of {@link #sizeBytes}: a shift takes a tenth of the time of a division. */
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

    /** The whole elements in a number of bytes that is not negative. */
    final int in(long bytes) {
        return (int) (bytes >>> sizeShift);
    }

    /** Elements that an array or a typed buffer holds, or {@link #WRONG_TYPE}. Position and limit do not count. */
    abstract int capacity(Object buffer);

    final Object newArray(int length) {
        return Array.newInstance(arrays.getComponentType(), length);
    }

    /**
     * The whole buffer, since MPI ignores position and limit: {@code buffer} itself if its limit is its capacity, as it
     * mostly is.
     */
    @SuppressWarnings("unchecked") // The duplicate of a buffer is a buffer of the same type.
    static <B extends Buffer> B whole(B buffer) {
        return buffer.limit() == buffer.capacity()
                ? buffer
                : (B) buffer.duplicate().clear();
    }

    /** Appends {@code count} elements of {@code from}, from element {@code at} on, to a target of native order. */
    abstract void write(Object from, int at, ByteBuffer target, int count);

    /** Takes {@code count} elements from a source of native order into {@code into}, from element {@code at} on. */
    abstract void read(Object into, int at, ByteBuffer source, int count);

    /** Appends {@code count} elements of {@code from}, every {@code step}th from element {@code at} on. */
    void gather(Object from, int at, int step, ByteBuffer target, int count) {
        for (int i = 0; i < count; i++) {
            write(from, at + i * step, target, 1);
        }
    }

    /** Takes {@code count} elements into {@code into}, to every {@code step}th from element {@code at} on. */
    void scatter(Object into, int at, int step, ByteBuffer source, int count) {
        for (int i = 0; i < count; i++) {
            read(into, at + i * step, source, 1);
        }
    }

    /**
     * Fills a target of native order with bytes of {@code from} from byte {@code at} on. Bytes may begin and end inside
     * an element, because a frame may do so: such an element is taken apart in a few bytes of scratch.
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
     * Takes all bytes of a source of native order into {@code into}, from byte {@code at} on; as {@link #writeBytes}.
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

    /** {@code inout[i] = in[i] op inout[i]} for the first {@code count} elements of two arrays of this kind. */
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
