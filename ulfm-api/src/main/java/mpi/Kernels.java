package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.ArrayReduction;
import org.ulfmj.transport.Payload;

/**
 * A predefined operator over elements of one kind that lie packed in buffers.
 *
 * <p>{@link #apply} leaves few elements to {@link ShortVectors} where that class can combine them. Otherwise it copies
 * both operands, piece by piece, into two heap arrays of 8 KiB, combines them there, and writes the result back. The
 * arrays belong to the calling thread, since ranks may share a process.
 */
record Kernels(Operator operator, BaseType base) implements ArrayReduction {
    /** The number of kinds of elements. It is a constant because each call of {@code values()} copies an array. */
    private static final int TYPES = BaseType.values().length;

    private static final int SCRATCH_BYTES = 8192;

    /** Per thread, a pair of scratch arrays for each kind of element that the thread has combined. */
    private static final ThreadLocal<Object[][]> SCRATCH = new ThreadLocal<>();

    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        apply(in, inout, inout, count);
    }

    @Override
    public void apply(ByteBuffer lower, ByteBuffer higher, ByteBuffer result, int count) {
        if (count <= ShortVectors.MOST_ELEMENTS && ShortVectors.combine(operator, base, lower, higher, result, count)) {
            return;
        }
        Elements elements = base.elements;
        int chunk = SCRATCH_BYTES / elements.sizeBytes;
        Object[] scratch = scratch(chunk);
        int lowerAt = lower.position();
        int higherAt = higher.position();
        int resultAt = result.position();
        ByteOrder lowerOrder = lower.order();
        ByteOrder higherOrder = higher.order();
        ByteOrder resultOrder = result.order();
        lower.order(ByteOrder.nativeOrder());
        higher.order(ByteOrder.nativeOrder());
        result.order(ByteOrder.nativeOrder());
        for (int done = 0; done < count; done += chunk) {
            int length = Math.min(chunk, count - done);
            int bytes = done * elements.sizeBytes;
            elements.read(scratch[0], 0, lower.position(lowerAt + bytes), length);
            elements.read(scratch[1], 0, higher.position(higherAt + bytes), length);
            elements.combine(operator, scratch[0], scratch[1], length);
            elements.write(scratch[1], 0, result.position(resultAt + bytes), length);
        }
        lower.position(lowerAt).order(lowerOrder);
        higher.position(higherAt).order(higherOrder);
        result.position(resultAt).order(resultOrder);
    }

    @Override
    public boolean combineOne(Payload own, ByteBuffer other, int otherAt, boolean isOwnLower, Payload result) {
        return own instanceof Span from
                && result instanceof Span to
                && ShortVectors.combineOne(operator, base, from, other, otherAt, isOwnLower, to);
    }

    private Object[] scratch(int length) {
        Object[][] all = SCRATCH.get();
        if (all == null) {
            all = new Object[TYPES][];
            SCRATCH.set(all);
        }
        Object[] pair = all[base.ordinal()];
        if (pair == null) {
            pair = new Object[] {base.elements.newArray(length), base.elements.newArray(length)};
            all[base.ordinal()] = pair;
        }
        return pair;
    }

    @Override
    public int kind() {
        return base.ordinal();
    }

    @Override
    public Object newArray(int length) {
        return base.elements.newArray(length);
    }

    @Override
    public void load(ByteBuffer from, Object array, int count) {
        base.elements.read(array, 0, from, count);
    }

    @Override
    public boolean load(Payload from, long offset, Object array, int count) {
        return from instanceof Span span && span.copyTo(offset, array, count);
    }

    @Override
    public void combine(Object lower, Object inout, int count) {
        base.elements.combine(operator, lower, inout, count);
    }

    @Override
    public void store(Object array, int count, ByteBuffer to) {
        base.elements.write(array, 0, to, count);
    }

    @Override
    public boolean store(Object array, int count, Payload to, long offset) {
        return to instanceof Span span && span.copyFrom(array, count, offset);
    }

    @Override
    public boolean isCommutative() {
        return true;
    }

    @Override
    public int code() {
        return 1 + operator.ordinal() * TYPES + base.ordinal();
    }

    @Override
    public boolean isUserCode() {
        return false;
    }
}
