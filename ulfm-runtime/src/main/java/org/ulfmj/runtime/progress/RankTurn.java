package org.ulfmj.runtime.progress;

/**
 * One rank in a simulated world, as the thread that holds the {@link Baton} sees it. That thread does for all ranks, in
 * an order that it chooses, what a background thread does for a rank in a process.
 */
public final class RankTurn {
    private final Engine engine;

    RankTurn(Engine engine) {
        this.engine = engine;
    }

    /**
     * Polls this rank's engine, which also runs due timers, and runs a piece of the library's local work. Returns how
     * much was done; 0 if there was nothing to do.
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
     * Whether the thread that waits must go on: its wait is done, the rank has ended, or a step of local work is due,
     * perhaps one that calls code of the program, which only that thread runs.
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

    /** Whether operations of this rank are under way that go on when other ranks write into shared memory. */
    public boolean hasInMemory() {
        return !engine.isOver() && engine.hasInMemory();
    }

    /** Returns the time at which this rank must be polled even without input; {@link Long#MAX_VALUE} means never. */
    public long nextDeadlineNs() {
        return engine.isOver() ? Long.MAX_VALUE : engine.nextDeadlineNs();
    }

    /** Whether a poll of this rank can do something, or try something again, even without input. */
    public boolean hasWork() {
        return !engine.isOver() && engine.hasWork();
    }
}
