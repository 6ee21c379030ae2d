package mpi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Several shapes whose bytes follow each other in a message, not all of them runs of bytes: as in structs, and in
 * indexed types made of types with gaps.
 */
final class Sequence extends Shape {
    private final Shape[] parts;
    /** The offset in the message at which each part begins, and as one more element the length of the message. */
    private final long[] starts;

    private Sequence(Shape[] parts, long[] starts) {
        super(starts[parts.length]);
        this.parts = parts;
        this.starts = starts;
    }

    /**
     * Returns a shape for parts that follow each other in a message. A run of bytes that begins where the run before it
     * ends is joined to that one.
     */
    static Shape of(List<Shape> given) {
        List<Shape> parts = new ArrayList<>();
        for (Shape part : given) {
            if (part.sizeBytes > 0) {
                add(parts, part);
            }
        }
        if (parts.isEmpty()) {
            return EMPTY;
        }
        if (parts.size() == 1) {
            return parts.get(0);
        }
        long[] starts = new long[parts.size() + 1];
        boolean areRuns = true;
        for (int i = 0; i < parts.size(); i++) {
            starts[i + 1] = starts[i] + parts.get(i).sizeBytes;
            areRuns &= parts.get(i) instanceof Run;
        }
        return areRuns ? ofRuns(parts, starts) : new Sequence(parts.toArray(new Shape[0]), starts);
    }

    /** Adds a part to a list. If it is a run that begins where the last run ends, the two become one run. */
    private static void add(List<Shape> parts, Shape part) {
        Shape last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
        if (part instanceof Run next && last instanceof Run before && before.offset + before.sizeBytes == next.offset) {
            parts.set(parts.size() - 1, new Run(before.offset, before.sizeBytes + next.sizeBytes));
        } else {
            parts.add(part);
        }
    }

    private static Shape ofRuns(List<Shape> runs, long[] starts) {
        long[] offsets = new long[runs.size()];
        boolean isRegular = true;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = ((Run) runs.get(i)).offset;
            isRegular &= runs.get(i).sizeBytes == runs.get(0).sizeBytes
                    && (i < 2 || offsets[i] - offsets[i - 1] == offsets[1] - offsets[0]);
        }
        return isRegular
                ? new Repetition(runs.get(0), offsets.length, offsets[1] - offsets[0])
                : new RunTable(0, offsets, starts);
    }

    @Override
    Shape movedBy(long bytes) {
        return bytes == 0
                ? this
                : new Sequence(
                        Arrays.stream(parts).map(part -> part.movedBy(bytes)).toArray(Shape[]::new), starts);
    }

    private int find(long skip) {
        int found = Arrays.binarySearch(starts, skip);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    void copyOut(Memory from, long at, long skip, ByteBuffer target) {
        int part = find(skip);
        long within = skip - starts[part];
        for (; part < parts.length && target.hasRemaining(); part++) {
            parts[part].copyOut(from, at, within, target);
            within = 0;
        }
    }

    @Override
    void copyIn(Memory into, long at, long skip, ByteBuffer source) {
        int part = find(skip);
        long within = skip - starts[part];
        for (; part < parts.length && source.hasRemaining(); part++) {
            parts[part].copyIn(into, at, within, source);
            within = 0;
        }
    }
}
