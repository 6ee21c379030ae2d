package org.ulfmj.rabit.engine;

/**
 * How much was put into the log since an operation that waited for all. A version of broadcasts alone would never let
 * anything go: so after this many operations or bytes all ranks put a barrier of headers before the next one. It counts
 * what the program has passed, replayed or not, so all ranks put it at the same places.
 */
final class SyncMeter {
    static final int MOST_OPERATIONS = 1024;

    private final long mostBytes;
    private int operations;
    private long bytes;

    SyncMeter(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    boolean isBarrierDue(Shape next) {
        return (operations >= MOST_OPERATIONS || bytes > mostBytes) && !next.waitsForAll();
    }

    /** The program passes an operation, after the barrier that was due before it. */
    void pass(Shape shape) {
        if (shape.waitsForAll() || isBarrierDue(shape)) {
            reset();
        }
        operations++;
        bytes += shape.lengthBytes();
    }

    void reset() {
        operations = 0;
        bytes = 0;
    }
}
