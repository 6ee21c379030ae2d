package mpi;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Runs of bytes at places that follow no rule: a table with the offset of each run. */
final class RunTable extends Shape {
    /** How far all places are moved. */
    private final long moved;

    private final long[] offsets;
    /** The offset in the message at which each run begins, and as one more element the length of the message. */
    private final long[] starts;

    RunTable(long moved, long[] offsets, long[] starts) {
        super(starts[offsets.length]);
        this.moved = moved;
        this.offsets = offsets;
        this.starts = starts;
    }

    @Override
    Shape movedBy(long bytes) {
        return new RunTable(moved + bytes, offsets, starts);
    }

    /** The number of the run that holds byte {@code skip} of the message; no run is empty. */
    private int find(long skip) {
        int found = Arrays.binarySearch(starts, skip);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    void copyOut(Memory from, long at, long skip, ByteBuffer target) {
        long within = skip;
        for (int i = find(skip); i < offsets.length && target.hasRemaining(); i++) {
            int length = (int) Math.min(starts[i + 1] - within, target.remaining());
            from.copyOut(at + moved + offsets[i] + (within - starts[i]), length, target);
            within += length;
        }
    }

    @Override
    void copyIn(Memory into, long at, long skip, ByteBuffer source) {
        long within = skip;
        for (int i = find(skip); i < offsets.length && source.hasRemaining(); i++) {
            int length = (int) Math.min(starts[i + 1] - within, source.remaining());
            into.copyIn(at + moved + offsets[i] + (within - starts[i]), length, source);
            within += length;
        }
    }
}
