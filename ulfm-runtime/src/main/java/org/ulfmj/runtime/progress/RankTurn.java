package org.ulfmj.runtime.progress;

/**
 * One rank as the thread that holds the {@link Baton} sees it. That thread does for all ranks, in an order that it
 * chooses, what a background thread does for a rank in a process.
 */
public final class RankTurn {
    private final Engine engine;

    RankTurn(Engine engine) {
        this.engine = engine;
    }

    /**
     * Does everything that can be done now, runs due timers and a piece of the library's local work. Returns how much
     * was done.
     */
    public int poll() {
        if (engine.isOver()) {
            return 0;
        }
        engine.lock().lock();
        try {
            int work = engine.poll(true);
            if (engine.hasStep(false)) {
                engine.runStep(false);
                work++;
            }
            return work;
        } finally {
            engine.lock().unlock();
        }
    }

    /**
     * Whether the thread that waits is to go on: its wait is done, the rank is over, or code of the program is due,
     * which only that thread runs.
     */
    public boolean isOver(Completion wait) {
        if (engine.isOver()) {
            return true;
        }
        engine.lock().lock();
        try {
            return wait.isDone() || engine.hasStep(true);
        } finally {
            engine.lock().unlock();
        }
    }

    /** Whether operations of the rank may go on by what other ranks store in memory that they share. */
    public boolean hasInMemory() {
        return !engine.isOver() && engine.hasInMemory();
    }

    /** When the rank is to be polled even without input; {@link Long#MAX_VALUE} is never. */
    public long nextDeadlineNs() {
        return engine.isOver() ? Long.MAX_VALUE : engine.nextDeadlineNs();
    }

    /** Whether a poll can do something, or try something again, without input. */
    public boolean hasWork() {
        return !engine.isOver() && engine.hasWork();
    }
}
