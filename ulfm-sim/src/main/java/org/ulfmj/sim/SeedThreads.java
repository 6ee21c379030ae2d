package org.ulfmj.sim;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Hands the seeds of a range out to several threads, in ascending chunks, until all are handed out or the caller has
 * seen enough.
 */
public final class SeedThreads {
    private final SeedRange seeds;
    private final int chunk;
    private final BooleanSupplier isEnough;
    private final AtomicLong next;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile Throwable broken;

    /**
     * @param seeds the last one is at most {@link Long#MAX_VALUE} minus {@code chunk} for each thread
     * @param chunk how many seeds one thread takes at a time
     * @param isEnough asked before each seed, by any thread
     */
    public SeedThreads(SeedRange seeds, int chunk, BooleanSupplier isEnough) {
        this.seeds = seeds;
        this.chunk = chunk;
        this.isEnough = isEnough;
        this.next = new AtomicLong(seeds.first());
    }

    /** Starts a thread that runs seeds. A seed that throws ends the thread. */
    public void start(String name, LongConsumer runner) {
        Thread thread = new Thread(() -> runUnlessBroken(runner), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void runUnlessBroken(LongConsumer runner) {
        try {
            run(runner);
        } catch (RuntimeException | Error e) {
            broken = e;
        }
    }

    /** Runs seeds on the calling thread, until no more are to be run. */
    public void run(LongConsumer runner) {
        for (long first = takeChunk(); first <= seeds.last(); first = takeChunk()) {
            for (long seed = first; seed < first + chunk && seed <= seeds.last() && !isEnough.getAsBoolean(); seed++) {
                runner.accept(seed);
            }
        }
    }

    private long takeChunk() {
        return isEnough.getAsBoolean() ? Long.MAX_VALUE : next.getAndAdd(chunk);
    }

    /**
     * Waits for the started threads one after the other, for {@code millis} at most for each; 0 means without limit.
     * Returns true when all have ended, and false as soon as a wait was too short.
     *
     * @throws IllegalStateException when all have ended and a seed has thrown, with the exception of such a seed as the
     *     cause
     */
    public boolean await(long millis) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(millis);
            if (thread.isAlive()) {
                return false;
            }
        }
        if (broken != null) {
            throw new IllegalStateException("the simulator itself broke", broken);
        }
        return true;
    }
}
