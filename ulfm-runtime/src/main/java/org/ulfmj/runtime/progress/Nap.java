package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sleep of the progress thread between two looks at the engine. If this thread waited in a condition of the fair
 * engine lock, it would stand in the queue for the lock from the moment of the signal. Where ranks share cores it may
 * get a core only a millisecond or two later, and the program's next call would wait for the lock during that time. A
 * napping thread instead is parked, and asks for the lock only once it runs. Under the engine lock.
 */
final class Nap {
    private final ReentrantLock lock;
    /** The thread that naps and was not woken yet; null if there is none. May be read without the engine lock. */
    private volatile Thread napping;

    Nap(ReentrantLock lock) {
        this.lock = lock;
    }

    /**
     * Releases the engine lock, sleeps for the given time or until {@link #end} is called, and takes the lock again. An
     * interrupt does not end the sleep.
     */
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
