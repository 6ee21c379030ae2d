package mpi;

/**
 * The two buffer arguments of a collective call. A thread uses one such object again for its blocking calls. A call
 * that fails does not release the object: the next call then gets a new one, and late data of the failed call cannot
 * reach the buffers of the next. Of a started call, which outlives its method, each side is released when its operation
 * has succeeded; for these calls each thread keeps a few such objects.
 */
final class Sides {
    private static final PerThread<Sides> LATEST = new PerThread<>();

    private static final ThreadLocal<Sides[]> STARTED = new ThreadLocal<>();
    private static final int MOST_STARTED = 4;

    private Side send;
    private Side receive;
    private boolean isInUse;

    private Sides() {}

    static Sides of(CallForm form) {
        if (form == CallForm.STARTED) {
            return ofStarted();
        }
        Sides sides = LATEST.get();
        if (sides == null || sides.isInUse) {
            sides = new Sides();
            LATEST.set(sides);
        }
        sides.isInUse = true;
        return sides;
    }

    private static Sides ofStarted() {
        Sides[] kept = STARTED.get();
        if (kept == null) {
            kept = new Sides[MOST_STARTED];
            STARTED.set(kept);
        }
        for (int i = 0; i < MOST_STARTED; i++) {
            if (kept[i] == null) {
                kept[i] = new Sides();
            }
            if (kept[i].isReleased()) {
                return kept[i];
            }
        }
        // All kept objects belong to calls that are under way or have failed. The oldest one is no longer kept here.
        System.arraycopy(kept, 1, kept, 0, MOST_STARTED - 1);
        kept[MOST_STARTED - 1] = new Sides();
        return kept[MOST_STARTED - 1];
    }

    private boolean isReleased() {
        return (send == null || send.isReleased()) && (receive == null || receive.isReleased());
    }

    /** The side of the buffer that the call reads, begun for this call; the caller sets its argument. */
    Side send(CommState comm, String operation) {
        if (send == null) {
            send = new Side();
        }
        return send.begin(comm, operation);
    }

    /**
     * The side of the buffer that the call writes, or of the only buffer of a call, begun for this call; the caller
     * sets its argument.
     */
    Side receive(CommState comm, String operation) {
        if (receive == null) {
            receive = new Side();
        }
        return receive.begin(comm, operation);
    }

    void release() {
        if (send != null) {
            send.release();
        }
        if (receive != null) {
            receive.release();
        }
        isInUse = false;
    }
}
