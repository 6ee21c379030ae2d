package org.ulfmj.rabit.engine;

/**
 * How much the program has passed since all ranks last waited for each other, or since the version began. In a version
 * of broadcasts alone no result could ever be dropped. So after a fixed number of operations or bytes all ranks make a
 * barrier without payload before the next operation, unless that one waits for all ranks. The meter counts replayed
 * operations too, so all ranks make the barrier at the same places.
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

    /** Notes that the program passes an operation, and before it the barrier, if one was due. */
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
