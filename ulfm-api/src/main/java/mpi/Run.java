package mpi;

import java.nio.ByteBuffer;

/** Bytes that lie one after the other. */
final class Run extends Shape {
    final long offset;

    Run(long offset, long sizeBytes) {
        super(sizeBytes);
        this.offset = offset;
    }

    @Override
    Shape movedBy(long bytes) {
        return bytes == 0 ? this : new Run(offset + bytes, sizeBytes);
    }

    @Override
    Shape repeatedTwice(long count, long stride) {
        return stride == sizeBytes ? new Run(offset, sizeBytes * count) : super.repeatedTwice(count, stride);
    }

    @Override
    void copyOut(Memory from, long at, long skip, ByteBuffer target) {
        from.copyOut(at + offset + skip, (int) Math.min(sizeBytes - skip, target.remaining()), target);
    }

    @Override
    void copyIn(Memory into, long at, long skip, ByteBuffer source) {
        into.copyIn(at + offset + skip, (int) Math.min(sizeBytes - skip, source.remaining()), source);
    }
}
