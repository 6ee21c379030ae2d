package org.ulfmj.testkit.memory;

/**
 * A copy of a class that shares memory calls this in front of the accesses that a test chooses. The copy, compiled from
 * the changed source of the class, runs in every interleaving of its threads up to a number of switches
 * ({@link Interleavings}).
 */
public final class SharedAccess {
    private static final ThreadLocal<Interleaving.Task> CURRENT = new ThreadLocal<>();

    private SharedAccess() {}

    /**
     * A point at which another thread may run first, or the calling thread may die. Does nothing on a thread that
     * {@link Interleavings} has not started.
     */
    public static void point() {
        Interleaving.Task task = CURRENT.get();
        if (task != null) {
            task.point();
        }
    }

    static void bind(Interleaving.Task task) {
        if (task == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(task);
        }
    }
}
