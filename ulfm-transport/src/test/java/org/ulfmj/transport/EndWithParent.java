package org.ulfmj.transport;

import java.io.IOException;

/** Ends a process that a test has started once the test's own process has ended. */
public final class EndWithParent {
    private EndWithParent() {}

    /** Ends this process once its standard input ends, as when the process that holds the other end has ended. */
    public static void watch() {
        Thread watch = new Thread(EndWithParent::awaitEnd, "end with parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said to it.
            }
        } catch (IOException e) {
            System.err.println("the standard input is lost: " + e.getMessage());
        }
        Runtime.getRuntime().halt(1);
    }
}
