package org.ulfmj.runtime.progress;

import java.util.List;

/**
 * The way to wait in a simulated world: the thread that waits releases the engine lock and hands the {@link Baton} on,
 * and the thread that has the baton then polls for the rank. A rank of this kind has one thread inside MPI and none in
 * the background.
 */
public final class BatonProgress implements Progress {
    private final Engine engine;
    private final Baton baton;
    private Thread waiter;
    private Completion awaited;
    private long sinceNs;

    private BatonProgress(Engine engine, Baton baton) {
        this.engine = engine;
        this.baton = baton;
    }

    public static Maker maker(Baton baton) {
        return (engine, fabric, settings) -> new BatonProgress(engine, baton);
    }

    @Override
    public void start() {
        baton.bind(new RankTurn(engine));
    }

    @Override
    public void awaitEnd() {
        // No thread works in the background.
    }

    @Override
    public void onCall(String operation) {
        baton.onCall(operation);
    }

    @Override
    public void await(Completion completion) {
        if (completion.isDone()) {
            return;
        }
        engine.poll(true);
        while (!completion.isDone()) {
            engine.checkRunning();
            if (engine.hasStep(true)) {
                engine.runStep(true);
            } else {
                pass(completion);
            }
        }
    }

    private void pass(Completion completion) {
        waiter = Thread.currentThread();
        awaited = completion;
        sinceNs = engine.nowNs();
        engine.lock().unlock();
        try {
            baton.await(completion);
        } finally {
            engine.lock().lock();
            waiter = null;
            awaited = null;
        }
    }

    @Override
    public void onPiece() {
        baton.onPiece();
    }

    @Override
    public void onUnpolledCall() {
        // Other input is polled as it arrives.
    }

    @Override
    public void pollOnce() {
        engine.poll(true);
        if (engine.hasStep(true)) {
            engine.runStep(true);
        }
    }

    @Override
    public void onLeave() {
        baton.onLeave();
    }

    @Override
    public void signalAll() {
        // Nothing to do: the thread that ended the rank has the baton, and sees that this rank's wait is over.
    }

    @Override
    public boolean isWaitedIn() {
        return waiter != null;
    }

    @Override
    public List<WaitingThread> waits() {
        return waiter == null ? List.of() : List.of(new WaitingThread(waiter, awaited, sinceNs));
    }
}
