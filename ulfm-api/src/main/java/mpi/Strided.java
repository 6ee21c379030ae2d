package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.message.PassingPayload;

/**
 * A message whose bytes lie in the program's memory as a {@link Shape} says, mostly with gaps. The media of the
 * transport copy straight between the blocks and their frames, which may end anywhere; gaps are never touched. An
 * object is never set for another message, so it stays valid for as long as an operation lasts.
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

    /** Drops the reference to the program's buffer. Returns false, since the object is not set again. */
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
