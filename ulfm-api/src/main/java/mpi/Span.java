package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.transport.ByteCopy;

/**
 * A message where the program keeps it: {@code count} elements of an array or buffer, from an element on. The media of
 * the transport copy straight from and to that memory.
 *
 * <p>A {@link ByteBuffer} holds elements of any type as bytes in native order. The byte order of the buffer object does
 * not count, as for direct buffers in Open MPI's bindings. One object may be set again for the next message once the
 * operation that used it is done; it is used by one operation at a time.
 */
final class Span implements PassingPayload {
    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
    /**
     * The length in bytes from which a message of {@link #setLater} notes the program's buffer object, by which lent
     * memory is found.
     */
    private static final int SMALLEST_LENT_BYTES = 32 * 1024;

    private Elements elements;
    /** The array or typed buffer; null if {@link #raw} is in use, or for no elements. */
    private Object typed;

    private ByteBuffer raw;
    /** The program's buffer object, where it has to be known beside a view, or there are no elements; may be null. */
    private Object holder;
    /**
     * Whether the message is known to lie in an array, or in a view of the program's buffer that only this library has:
     * then the program cannot move the position.
     */
    private boolean isView;

    private int at;
    private long lengthBytes;

    /**
     * Describes {@code count} items of a contiguous type from item {@code at} of {@code buffer}. The arguments were
     * checked.
     */
    Span set(Object buffer, int at, int count, Datatype type) {
        if (elements != type.elements()) { // a reference is no cheap store: the collector may have to be told
            elements = type.elements();
        }
        this.at = at * type.elementsEach();
        this.lengthBytes = (long) count * type.sizeBytes();
        this.raw = null;
        this.typed = null;
        this.holder = null;
        this.isView = false;
        if (buffer instanceof ByteBuffer bytes) {
            this.raw = Elements.whole(bytes);
            if (raw != buffer) {
                this.holder = buffer;
            }
        } else if (count > 0) {
            this.typed = buffer;
        } else {
            this.holder = buffer;
        }
        return this;
    }

    /**
     * Describes {@code count} items from the beginning of a buffer of the program, for an operation that goes on when
     * the call has returned. It uses a view of the buffer, because the program may move the buffer's position and limit
     * meanwhile, for example by {@link MPI#slice(java.nio.IntBuffer, int)}.
     */
    Span setLater(BufferViews views, Buffer buffer, int count, Datatype type) {
        set(buffer == null ? null : views.view(buffer), 0, count, type);
        isView = true;
        return lengthBytes < SMALLEST_LENT_BYTES ? this : viewOf(buffer);
    }

    /**
     * Returns a separate description of this message, which is {@code spare} if that is a {@link Span}. It stays as it
     * is when this object is set again. If the message lies in a buffer, the description has a view of that buffer.
     */
    @Override
    public Span kept(PassingPayload spare) {
        Span kept = spare instanceof Span known ? known : new Span();
        if (kept.elements != elements) {
            kept.elements = elements;
        }
        kept.typed = typed instanceof Buffer buffer && !isView ? BufferViews.of(buffer) : typed;
        kept.raw = raw == null || isView ? raw : (ByteBuffer) BufferViews.of((Buffer) holder());
        kept.holder = isView ? holder : holder();
        kept.at = at;
        kept.lengthBytes = lengthBytes;
        kept.isView = true;
        return kept;
    }

    /**
     * Notes {@code buffer}, the program's object, as the holder of this message, which itself uses a view of that
     * buffer. Lent memory is found by the program's object.
     */
    private Span viewOf(Buffer buffer) {
        holder = buffer;
        return this;
    }

    @Override
    public boolean forget() {
        clear();
        return true;
    }

    /** Drops the reference to the program's buffer. */
    void clear() {
        raw = null;
        typed = null;
        holder = null;
        lengthBytes = 0;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public Object holder() {
        return holder != null ? holder : raw != null ? raw : typed;
    }

    @Override
    public int holderOffset() {
        return rawIndex(0);
    }

    @Override
    public ByteBuffer memory() {
        return raw != null && raw.isDirect() ? raw : null;
    }

    @Override
    public int memoryOffset() {
        return rawIndex(0);
    }

    @Override
    public void copyOut(long offset, ByteBuffer target) {
        int count = target.remaining();
        checkRange(offset, count);
        if (raw != null) {
            ByteCopy.copy(raw, rawIndex(offset), target, target.position(), count);
            target.position(target.position() + count);
            return;
        }
        ByteOrder order = target.order();
        target.order(NATIVE);
        if (elements.areWhole(offset | count)) {
            if (count > 0) {
                elements.write(typed, element(offset), target, elements.in(count));
            }
        } else {
            elements.writeBytes(typed, (long) at * elements.sizeBytes + offset, target);
        }
        target.order(order);
    }

    @Override
    public void copyIn(long offset, ByteBuffer source) {
        int count = source.remaining();
        checkRange(offset, count);
        if (raw != null) {
            ByteCopy.copy(source, source.position(), raw, rawIndex(offset), count);
            source.position(source.position() + count);
            return;
        }
        ByteOrder order = source.order();
        source.order(NATIVE);
        if (elements.areWhole(offset | count)) {
            if (count > 0) {
                elements.read(typed, element(offset), source, elements.in(count));
            }
        } else {
            elements.readBytes(typed, (long) at * elements.sizeBytes + offset, source);
        }
        source.order(order);
    }

    /**
     * Copies {@code count} elements of the message, from the one that begins at byte {@code offset} on, into an array.
     * Returns false, and copies nothing, if the message does not lie in an array of that kind, or no element begins at
     * that byte.
     */
    boolean copyTo(long offset, Object array, int count) {
        if (!isArrayLike(array, offset)) {
            return false;
        }
        checkRange(offset, count * elements.sizeBytes);
        System.arraycopy(typed, element(offset), array, 0, count);
        return true;
    }

    /**
     * Copies elements of an array into the message, from byte {@code offset} on. Returns false, and copies nothing, if
     * the message does not lie in an array of that kind, or no element begins at that byte.
     */
    boolean copyFrom(Object array, int count, long offset) {
        if (!isArrayLike(array, offset)) {
            return false;
        }
        checkRange(offset, count * elements.sizeBytes);
        System.arraycopy(array, 0, typed, element(offset), count);
        return true;
    }

    /** Returns the first element of a message of doubles. */
    double getDouble() {
        if (raw != null) {
            return Double.longBitsToDouble(getLong());
        }
        return typed instanceof double[] array
                ? array[at]
                : Elements.whole((DoubleBuffer) typed).get(at);
    }

    /** Sets the first element of a message of doubles. */
    void putDouble(double value) {
        if (raw != null) {
            putLong(Double.doubleToRawLongBits(value));
        } else if (typed instanceof double[] array) {
            array[at] = value;
        } else {
            Elements.whole((DoubleBuffer) typed).put(at, value);
        }
    }

    /** Returns the first element of a message of longs. */
    long getLong() {
        if (raw != null) {
            long value = raw.getLong(at * Long.BYTES);
            return raw.order() == NATIVE ? value : Long.reverseBytes(value);
        }
        return typed instanceof long[] array
                ? array[at]
                : Elements.whole((LongBuffer) typed).get(at);
    }

    /** Sets the first element of a message of longs. */
    void putLong(long value) {
        if (raw != null) {
            raw.putLong(at * Long.BYTES, raw.order() == NATIVE ? value : Long.reverseBytes(value));
        } else if (typed instanceof long[] array) {
            array[at] = value;
        } else {
            Elements.whole((LongBuffer) typed).put(at, value);
        }
    }

    /** Returns the first element of a message of ints. */
    int getInt() {
        if (raw != null) {
            int value = raw.getInt(at * Integer.BYTES);
            return raw.order() == NATIVE ? value : Integer.reverseBytes(value);
        }
        return typed instanceof int[] array
                ? array[at]
                : Elements.whole((IntBuffer) typed).get(at);
    }

    /** Sets the first element of a message of ints. */
    void putInt(int value) {
        if (raw != null) {
            raw.putInt(at * Integer.BYTES, raw.order() == NATIVE ? value : Integer.reverseBytes(value));
        } else if (typed instanceof int[] array) {
            array[at] = value;
        } else {
            Elements.whole((IntBuffer) typed).put(at, value);
        }
    }

    private boolean isArrayLike(Object array, long offset) {
        return typed != null && typed.getClass() == array.getClass() && elements.areWhole(offset);
    }

    private void checkRange(long offset, int count) {
        if (offset < 0 || offset + count > lengthBytes) {
            throw new IllegalStateException("bytes " + offset + " to " + (offset + count) + " of a message of "
                    + lengthBytes + " were asked for");
        }
    }

    private int element(long offset) {
        return at + elements.in(offset);
    }

    private int rawIndex(long offset) {
        return (int) ((long) at * elements.sizeBytes + offset);
    }
}
