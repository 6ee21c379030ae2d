package org.ulfmj.runtime.progress;

/**
 * One rank as any thread that holds the {@link Baton} sees it: what a process leaves to the rank's background thread is
 * done here by any thread, in the order that the holder chooses.
 */
public final class RankTurn {
    private final Engine engine;

    RankTurn(Engine engine) {
        this.engine = engine;
    }

    /** Everything that can be done now, and due timers. Returns how much was done. */
    public int poll() {
        if (engine.isOver()) {
            return 0;
        }
        engine.lock().lock();
        try {
            return engine.poll(true);
        } finally {
            engine.lock().unlock();
        }
    }

    /** Whether a wait of this rank is over: done, or in vain because the rank is. */
    public boolean isOver(Completion wait) {
        if (engine.isOver()) {
            return true;
        }
        engine.lock().lock();
        try {
            return wait.isDone();
        } finally {
            engine.lock().unlock();
        }
    }

    /** When it is to be polled even without input; {@link Long#MAX_VALUE} is never. */
    public long nextDeadlineNs() {
        return engine.isOver() ? Long.MAX_VALUE : engine.nextDeadlineNs();
    }

    /** Whether a poll can do something, or try it again, without input. */
    public boolean hasWork() {
        return !engine.isOver() && engine.hasWork();
    }
}
