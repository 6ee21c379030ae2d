package org.ulfmj.runtime.process;

import java.util.concurrent.locks.LockSupport;

/** A process that lives until it is killed. */
final class Sleeper {
    private Sleeper() {}

    public static void main(String[] args) {
        System.out.println("sleeping");
        while (true) {
            LockSupport.park();
        }
    }
}
