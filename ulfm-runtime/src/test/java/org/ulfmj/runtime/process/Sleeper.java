package org.ulfmj.runtime.process;

import java.io.IOException;

/** A process that lives until it is killed, or until the process that started it has ended. */
final class Sleeper {
    private Sleeper() {}

    public static void main(String[] args) throws IOException {
        System.out.println("sleeping");
        while (System.in.read() >= 0) {
            // Nothing is said to it.
        }
    }
}
