package mpi;

/**
 * A thread's own two buffer arguments of a collective call, used again by each of its blocking calls so that these
 * allocate none. A call that fails does not release them: the next one then gets new ones, and nothing late can reach
 * its buffers.
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
