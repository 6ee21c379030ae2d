package org.ulfmj.transport.shm;

import java.lang.ref.Cleaner;
import java.nio.MappedByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Mappings of files that this process is done with. Java unmaps a file when the garbage collector finds its buffer, and
 * until every process has done so the file keeps its memory, with or without a name. So a file that was made here
 * counts as reserved until a {@link Cleaner} reports it gone, and where too much is given up, or a file was refused,
 * the collector is asked to look: at most once per second, more seldom while it finds nothing, and never under a lock.
 *
 * <p>Any thread.
 */
final class GivenUp {
    /** Given up, and not gone: more of it is not waited for. */
    private static final long MOST_BYTES = 16 << 20;
    /** The part of the bound of a small file system that may be so. */
    private static final int PART_OF_BOUND = 8;

    private static final long PAUSE_NS = 1_000_000_000;
    /** How long the collector's findings take to be reported, at most. */
    private static final long REPORT_NS = 100_000_000;

    /** A pause is doubled as often at most while collections find nothing: a rank may be refused files for hours. */
    private static final int MOST_DOUBLINGS = 6;
    /** Reports of one collection follow each other faster than that, mostly. */
    private static final long GAP_NS = 20_000_000;

    private static final Cleaner CLEANER = Cleaner.create();

    private final ShmRoom room;
    private final LongSupplier clock;
    private final Runnable collector;
    private final Consumer<Thread> starter;
    private final long mostBytes;
    private long heldBytes;
    /** The time at which the last collection ended. */
    private long collectedNs;

    private boolean isCollecting;

    /** Collections in a row after which no less was held. */
    private int vainCollections;

    /**
     * @param clock nanoseconds
     * @param collector has the garbage collector look at everything, and returns when it has
     */
    GivenUp(ShmRoom room, LongSupplier clock, Runnable collector) {
        this(room, clock, collector, Thread::start);
    }

    /** @param starter starts a thread, or throws what the machine throws that has none */
    GivenUp(ShmRoom room, LongSupplier clock, Runnable collector, Consumer<Thread> starter) {
        this.starter = starter;
        this.room = room;
        this.clock = clock;
        this.collector = collector;
        this.mostBytes = Math.min(MOST_BYTES, room.boundBytes() / PART_OF_BOUND);
        this.collectedNs = clock.getAsLong() - PAUSE_NS;
    }

    /** @param isReserved whether it is counted as ours */
    void add(MappedByteBuffer mapping, boolean isReserved) {
        int bytes = mapping.capacity();
        synchronized (this) {
            heldBytes += bytes;
            vainCollections = 0;
        }
        CLEANER.register(mapping, () -> onGone(bytes, isReserved));
        if (heldBytes() > mostBytes) {
            collectLater();
        }
    }

    private void onGone(int bytes, boolean isReserved) {
        if (isReserved) {
            room.giveBack(bytes);
        }
        synchronized (this) {
            heldBytes -= bytes;
            notifyAll();
        }
    }

    /** Bytes of mappings that were given up and are not gone. */
    synchronized long heldBytes() {
        return heldBytes;
    }

    /**
     * Waits, about a second at most, where twice of what is tolerated has been given up since the last collection: a
     * program that gives memory up faster than it is collected is slowed down. Not under a lock.
     */
    void slowDown() {
        long mostTwice = 2 * mostBytes;
        if (heldBytes() > mostTwice) {
            collectLater();
            waitFor(mostTwice + 1, PAUSE_NS + REPORT_NS);
        }
    }

    private synchronized long pauseNs() {
        return collectedNs + PAUSE_NS - clock.getAsLong();
    }

    /**
     * A rank that was refused a file asks again and again: where the last collections found nothing for it, the next
     * one is far.
     */
    private synchronized boolean isInVain() {
        return vainCollections > 0 && clock.getAsLong() - collectedNs < PAUSE_NS << vainCollections;
    }

    /** Has the collector look now; false if it did so within the last second, or is about to. Not under a lock. */
    boolean collect() {
        if (pauseNs() > 0 || !begin()) {
            return false;
        }
        collectNow();
        return true;
    }

    /**
     * The same from its own thread, once the second is over: for a caller that has a lock. Not where it has been in
     * vain, nor where no thread can be had now.
     */
    void collectLater() {
        if (isInVain() || !begin()) {
            return;
        }
        boolean isStarted = false;
        try {
            Thread thread = new Thread(null, this::collectAfterPause, "ulfm-collect");
            thread.setDaemon(true);
            starter.accept(thread);
            isStarted = true;
        } catch (OutOfMemoryError noThread) {
            // The caller is in the middle of something that does not need it.
        } finally {
            if (!isStarted) {
                end(false);
            }
        }
    }

    private void collectAfterPause() {
        for (long pauseNs = pauseNs(); pauseNs > 0; pauseNs = pauseNs()) {
            LockSupport.parkNanos(pauseNs);
        }
        collectNow();
    }

    private void collectNow() {
        boolean isVain = false;
        try {
            long before = heldBytes();
            collector.run();
            if (before > 0) {
                waitFor(before, REPORT_NS);
                awaitLastReport();
            }
            isVain = heldBytes() >= before;
        } finally {
            end(isVain);
        }
    }

    /** Mappings are reported one by one. */
    private void awaitLastReport() {
        long before;
        long now = heldBytes();
        do {
            before = now;
            waitFor(before, GAP_NS);
            now = heldBytes();
        } while (now < before && now > 0);
    }

    private synchronized boolean begin() {
        boolean isFirst = !isCollecting;
        isCollecting = true;
        return isFirst;
    }

    private synchronized void end(boolean wasVain) {
        isCollecting = false;
        collectedNs = clock.getAsLong();
        vainCollections = wasVain ? Math.min(vainCollections + 1, MOST_DOUBLINGS) : 0;
    }

    /** Until less is held than that, or the time is over; an interrupt is kept. */
    private synchronized void waitFor(long lessThanBytes, long mostNs) {
        long endNs = System.nanoTime() + mostNs;
        boolean isInterrupted = false;
        for (long leftNs = mostNs; leftNs > 0 && heldBytes >= lessThanBytes; leftNs = endNs - System.nanoTime()) {
            try {
                wait(leftNs / 1_000_000 + 1);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
