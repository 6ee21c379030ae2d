package mpi;

/**
 * One object of each thread that has set one. The first thread, which mostly is the only one that calls MPI, finds its
 * object without the look-up of a {@link ThreadLocal}.
 */
final class PerThread<T> {
    /** Immutable, so that a thread which sees another one's finds whose it is. */
    private record Owned<T>(Thread owner, T object) {}

    private final ThreadLocal<T> others = new ThreadLocal<>();
    private Owned<T> first;

    /** Returns the object of the calling thread, or null. */
    T get() {
        Owned<T> known = first;
        return known != null && known.owner == Thread.currentThread() ? known.object : others.get();
    }

    /** Sets the object of the calling thread. */
    void set(T object) {
        Thread thread = Thread.currentThread();
        Owned<T> known = first;
        if (known == null || known.owner == thread || !known.owner.isAlive()) {
            first = new Owned<>(thread, object); // a thread that sets it at the same time, and loses, sets its own anew
        } else {
            others.set(object);
        }
    }
}
