package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sleep of the progress thread between two looks at the engine. A thread that waits in a condition of a fair lock
 * stands in the queue for the lock from the signal on, and where ranks share cores it may get a core only a millisecond
 * or two later: the program's next call would wait for it so long. A napping thread asks for the lock when it runs.
 * Under the engine lock.
 */
final class Nap {
    private final ReentrantLock lock;
    /** The thread that naps, and was not woken yet; else null. Read without the lock too. */
    private volatile Thread napping;

    Nap(ReentrantLock lock) {
        this.lock = lock;
    }

    /** Lets go of the lock, and takes it again after this time or an {@link #end}. Deaf to interrupts. */
    void take(long napNs) {
        long untilNs = System.nanoTime() + napNs;
        napping = Thread.currentThread();
        lock.unlock();
        try {
            for (long leftNs = napNs; leftNs > 0 && napping != null; leftNs = untilNs - System.nanoTime()) {
                LockSupport.parkNanos(this, leftNs);
                Thread.interrupted(); // a thread does not park with the flag set
            }
        } finally {
            lock.lock();
            napping = null;
        }
    }

    /** Ends the nap, if there is one. */
    void end() {
        Thread thread = napping;
        if (thread != null) {
            napping = null;
            LockSupport.unpark(thread);
        }
    }
}
