package org.ulfmj.testkit.memory;

/**
 * What a copy of a class that shares memory calls in front of each access. Such a copy, compiled from the class's
 * source, runs in every interleaving of its threads up to a number of switches ({@link Interleavings}).
 */
public final class SharedAccess {
    private static final ThreadLocal<Interleaving.Task> CURRENT = new ThreadLocal<>();

    private SharedAccess() {}

    /** Another thread may go first, or this one may die here. Does nothing on a thread that is not explored. */
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
