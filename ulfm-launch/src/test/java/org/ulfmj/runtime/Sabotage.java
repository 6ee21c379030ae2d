package org.ulfmj.runtime;

/**
 * Does to the rank of this process what nothing in the library should ever do. It lies in this package to reach the
 * rank's engine.
 */
public final class Sabotage {
    private Sabotage() {}

    /** Makes the rank's progress thread, or the thread that polls next, run into an error. */
    public static void breakInvariant(String what) {
        RankBinding.current().runtime().engine().post(control -> {
            throw new IllegalStateException(what);
        });
    }
}
