package mpi;

import java.lang.ref.WeakReference;

/**
 * Holds one object for each thread that has set one. The first thread, which mostly is the only one that calls MPI,
 * finds its object without a look-up in a {@link ThreadLocal}. An object is kept no longer than its thread lives.
 */
final class PerThread<T> {
    /**
     * The first thread and its object. Immutable, so that another thread that reads it without a lock sees that it is
     * not the owner.
     */
    private record Owned<T>(Thread owner, WeakReference<T> object) {}

    private final ThreadLocal<T> all = new ThreadLocal<>();
    private Owned<T> first;

    /** Returns the object of the calling thread, or null. */
    T get() {
        Owned<T> known = first;
        return known != null && known.owner == Thread.currentThread() ? known.object.get() : all.get();
    }

    /** Sets the object of the calling thread. */
    void set(T object) {
        all.set(object);
        Thread thread = Thread.currentThread();
        Owned<T> known = first;
        if (known == null || known.owner == thread || !known.owner.isAlive()) {
            first = new Owned<>(thread, new WeakReference<>(object)); // the last of several threads wins
        }
    }
}
