package mpi;

/**
 * The two buffer arguments of a collective call. Each thread has one such object for all its blocking calls, so that
 * they allocate none. A call that fails does not release the object: the next call then gets a new one, and late data
 * of the failed call cannot reach the buffers of the next. A started call has a separate object, as it outlives the
 * call, and does not release it.
 */
final class Sides {
    private static final ThreadLocal<Sides> LATEST = new ThreadLocal<>();

    private Side send;
    private Side receive;
    private boolean isInUse;

    private Sides() {}

    static Sides of(CallForm form) {
        if (form == CallForm.STARTED) {
            return new Sides();
        }
        Sides sides = LATEST.get();
        if (sides == null || sides.isInUse) {
            sides = new Sides();
            LATEST.set(sides);
        }
        sides.isInUse = true;
        return sides;
    }

    /** The side of the buffer that the call reads. Its argument is to be set. */
    Side send(CommState comm, String operation) {
        if (send == null) {
            send = new Side();
        }
        return send.begin(comm, operation);
    }

    /** The side of the buffer that the call writes, and of the only buffer of a call. Its argument is to be set. */
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
