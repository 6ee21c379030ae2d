package org.ulfmj.benchmarks.micro;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import mpi.MPI;
import org.ulfmj.testkit.LocalWorld;

/**
 * A world of ranks as threads, whose rank 0 is lent to the thread that measures. The other ranks run the given program.
 */
final class ThreadWorld {
    /** The program of the ranks other than 0. */
    interface Others {
        void run();
    }

    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Thread host;
    private volatile UnaryOperator<Runnable> lender;

    ThreadWorld(int ranks, Others others) throws InterruptedException {
        this(LocalWorld.of(ranks), others);
    }

    ThreadWorld(LocalWorld ranks, Others others) throws InterruptedException {
        host = new Thread(() -> ranks.timeout(Duration.ofDays(1)).run(() -> main(others)), "world");
        host.setDaemon(true);
        host.start();
        begun.await();
    }

    /**
     * Returns a runnable that runs the step as rank 0. Any thread may run it, but no two threads may run such runnables
     * of this world at the same time.
     */
    Runnable asRankZero(Runnable step) throws InterruptedException {
        return lender.apply(step);
    }

    /** Ends rank 0, and waits for the end of all ranks. A step of rank 0 must have told the others to end before. */
    void end() throws InterruptedException {
        ended.countDown();
        host.join();
    }

    private void main(Others others) {
        MPI.Init(new String[0]);
        if (MPI.COMM_WORLD.getRank() > 0) {
            others.run();
        } else {
            lend();
        }
        MPI.Finalize();
    }

    /**
     * Lends rank 0 until the end. Other threads cannot bind a task to rank 0, so the thread of rank 0 binds a runnable
     * here that runs any step.
     */
    private void lend() {
        Runnable[] current = new Runnable[1];
        Runnable bound = MPI.bindThread(() -> current[0].run());
        lender = step -> () -> {
            current[0] = step;
            bound.run();
        };
        begun.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
