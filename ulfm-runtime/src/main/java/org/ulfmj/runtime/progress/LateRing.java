package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The ranks to be rung for what a call has shown, once the call has released the engine lock: so the call needs no
 * fence beside that of the lock. Under the lock, unless said.
 */
public final class LateRing {
    /** Null before the first call that shows something so. */
    private Sleepers sleepers;

    private boolean isDue;

    /** As {@link Engine#ringOnLeave}. */
    public void add(Sleepers some) {
        if (sleepers != some) { // a store of a reference also marks memory for the collector
            ringNow();
            sleepers = some;
        }
        isDue = true;
    }

    /** As {@link Engine#ringNow}. */
    public void ringNow() {
        if (isDue) {
            isDue = false;
            sleepers.ring();
        }
    }

    /** Releases the lock, and then rings if that is due. */
    public void unlock(ReentrantLock lock) {
        if (isDue) {
            unlockAndRing(lock);
        } else {
            lock.unlock();
        }
    }

    private void unlockAndRing(ReentrantLock lock) {
        isDue = false;
        Sleepers due = sleepers;
        lock.unlock();
        if (due.areThere()) {
            lock.lock();
            try {
                due.ring();
            } finally {
                lock.unlock();
            }
        }
    }
}
