package mpi;

import java.lang.ref.WeakReference;

/**
 * One object of each thread that has set one. The first thread, which mostly is the only one that calls MPI, finds its
 * object without the look-up of a {@link ThreadLocal}. An object is kept no longer than its thread lives.
 */
final class PerThread<T> {
    /** Immutable, so that a thread which sees another one's finds whose it is. */
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
