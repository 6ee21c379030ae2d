package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The sleeping ranks that are to be woken because a call has written something to shared memory. They are rung after
 * the call has released the engine lock, whose release serves as the memory fence that the call needs, or by
 * {@link #ringNow}. Methods are called under the engine lock, unless they say otherwise.
 */
public final class LateRing {
    /** Null before the first call whose sleepers are rung after the lock is released. */
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

    /** Releases the engine lock, and then rings the sleeping ranks if {@link #add} has asked for that. */
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
