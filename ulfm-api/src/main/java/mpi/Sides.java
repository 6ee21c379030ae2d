package mpi;

/**
 * The two buffer arguments of a collective call. Each thread has one such object for all its blocking calls, so that
 * they allocate none. A call that fails does not release the object: the next call then gets a new one, and late data
 * of the failed call cannot reach the buffers of the next.
 */
final class Sides {
    private static final ThreadLocal<Sides> LATEST = new ThreadLocal<>();

    final Side send = new Side();
    final Side receive = new Side();
    private boolean isInUse;

    private Sides() {}

    static Sides take() {
        Sides sides = LATEST.get();
        if (sides == null || sides.isInUse) {
            sides = new Sides();
            LATEST.set(sides);
        }
        sides.isInUse = true;
        return sides;
    }

    void release() {
        send.release();
        receive.release();
        isInUse = false;
    }
}
