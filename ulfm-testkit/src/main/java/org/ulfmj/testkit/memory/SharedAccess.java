package org.ulfmj.testkit.memory;

/** What an instrumented copy calls in front of each access to shared memory. */
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
