package mpi;

import java.nio.ByteBuffer;

/** The same shape repeated at equal distances, as in vector types and in messages of several items. */
final class Repetition extends Shape {
    private final Shape each;
    private final long count;
    private final long stride;

    Repetition(Shape each, long count, long stride) {
        super(each.sizeBytes * count);
        this.each = each;
        this.count = count;
        this.stride = stride;
    }

    @Override
    Shape movedBy(long bytes) {
        return bytes == 0 ? this : new Repetition(each.movedBy(bytes), count, stride);
    }

    @Override
    Shape repeatedTwice(long times, long distance) {
        return distance == stride * count
                ? new Repetition(each, count * times, stride)
                : super.repeatedTwice(times, distance);
    }

    @Override
    void copyOut(Memory from, long at, long skip, ByteBuffer target) {
        long index = skip / each.sizeBytes;
        long within = skip % each.sizeBytes;
        if (within != 0) {
            each.copyOut(from, at + index * stride, within, target);
            index++;
        }
        if (each instanceof Run run && run.sizeBytes <= Integer.MAX_VALUE) {
            int whole = (int) Math.min(count - index, target.remaining() / run.sizeBytes);
            if (whole > 0) {
                from.copyOutBlocks(at + run.offset + index * stride, (int) run.sizeBytes, stride, whole, target);
                index += whole;
            }
        }
        for (; index < count && target.hasRemaining(); index++) {
            each.copyOut(from, at + index * stride, 0, target);
        }
    }

    @Override
    void copyIn(Memory into, long at, long skip, ByteBuffer source) {
        long index = skip / each.sizeBytes;
        long within = skip % each.sizeBytes;
        if (within != 0) {
            each.copyIn(into, at + index * stride, within, source);
            index++;
        }
        if (each instanceof Run run && run.sizeBytes <= Integer.MAX_VALUE) {
            int whole = (int) Math.min(count - index, source.remaining() / run.sizeBytes);
            if (whole > 0) {
                into.copyInBlocks(at + run.offset + index * stride, (int) run.sizeBytes, stride, whole, source);
                index += whole;
            }
        }
        for (; index < count && source.hasRemaining(); index++) {
            each.copyIn(into, at + index * stride, 0, source);
        }
    }
}
