package org.ulfmj.runtime;

/** Does to the rank of this process what nothing in the library should ever do. In this package to get at it. */
public final class Sabotage {
    private Sabotage() {}

    /** The rank's own thread, or whoever polls next, runs into an error. */
    public static void breakInvariant(String what) {
        RankBinding.current().runtime().engine().post(control -> {
            throw new IllegalStateException(what);
        });
    }
}
