package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.message.PassingPayload;

/**
 * A message of items with gaps between or inside them, or in another order than in memory. The media of the transport
 * copy straight between the blocks and their frames, which may end anywhere; gaps are never touched. An object is made
 * for one operation and not set again, so it stays valid for as long as the operation lasts.
 */
final class Strided implements PassingPayload {
    /** The program's memory; null for a message of no bytes, and after {@link #forget}. */
    private Memory memory;

    private final Shape shape;

    /**
     * Describes the bytes of a shape, whose places count from the beginning of {@code buffer}. The arguments were
     * checked.
     */
    Strided(Object buffer, Elements elements, Shape shape) {
        this.memory = shape.sizeBytes == 0 ? null : Memory.of(buffer, elements);
        this.shape = shape;
    }

    /**
     * Describes {@code count} items of {@code type} from item {@code at} of {@code buffer} on. The arguments were
     * checked.
     */
    static Strided items(Object buffer, long at, long count, Datatype type) {
        return new Strided(buffer, type.elements(), type.map().items(at, count));
    }

    @Override
    public Strided kept(PassingPayload spare) {
        return this;
    }

    /** Drops the reference to the program's buffer. The object was made for one operation, and is not set again. */
    @Override
    public boolean forget() {
        memory = null;
        return false;
    }

    @Override
    public long lengthBytes() {
        return shape.sizeBytes;
    }

    @Override
    public void copyOut(long offset, ByteBuffer target) {
        if (hasBytes(offset, target.remaining())) {
            shape.copyOut(memory, 0, offset, target);
        }
    }

    @Override
    public void copyIn(long offset, ByteBuffer source) {
        if (hasBytes(offset, source.remaining())) {
            shape.copyIn(memory, 0, offset, source);
        }
    }

    private boolean hasBytes(long offset, int count) {
        if (offset < 0 || offset + count > shape.sizeBytes) {
            throw new IllegalStateException("bytes " + offset + " to " + (offset + count) + " of a message of "
                    + shape.sizeBytes + " were asked for");
        }
        return count > 0;
    }
}
