package org.ulfmj.transport.shm;

import java.lang.ref.Cleaner;
import java.nio.MappedByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The mappings of files that this process does not use any more. Java unmaps a file only when the garbage collector
 * finds its buffer. Until every process has unmapped a file, the file keeps its memory, with or without a name. So a
 * file that this process made counts as reserved until a {@link Cleaner} reports that its mapping is gone. If the
 * unused mappings take too much memory, or a file was refused for lack of room, the garbage collector is called: at
 * most once per second, by {@link #collectLater} more seldom while it finds nothing, and never under a lock.
 *
 * <p>Any thread.
 */
final class GivenUp {
    /** The most bytes of mappings that may be given up and not yet unmapped before the collector is called. */
    private static final long MOST_BYTES = 16 << 20;
    /**
     * If the room for the job's files is small, only this part of it (one eighth) may be given up and not yet unmapped.
     */
    private static final int PART_OF_BOUND = 8;

    private static final long PAUSE_NS = 1_000_000_000;
    /** The longest time to wait for the cleaner's first report after a collection. */
    private static final long REPORT_NS = 100_000_000;

    /**
     * How many times at most the pause between collections is doubled while collections find nothing: a rank may be
     * refused files for hours.
     */
    private static final int MOST_DOUBLINGS = 6;
    /** The reports of one collection mostly follow each other within this time. */
    private static final long GAP_NS = 20_000_000;
    /** A wait for reports consists of shorter waits, each of this length at most. */
    private static final long LOOK_NS = 10_000_000;

    private static final Cleaner CLEANER = Cleaner.create();

    private final ShmRoom room;
    private final LongSupplier clock;
    private final Runnable collector;
    private final Consumer<Thread> starter;
    private final long mostBytes;
    private long heldBytes;
    /**
     * The time at which the last collection ended or could not be started; at first, one pause before this object was
     * made.
     */
    private long collectedNs;

    private boolean isCollecting;

    /**
     * The number of collections in a row, since the last mapping was added, that did not reduce the held bytes; at most
     * {@link #MOST_DOUBLINGS}.
     */
    private int vainCollections;

    /**
     * @param clock nanoseconds
     * @param collector runs a full garbage collection, and returns after it
     */
    GivenUp(ShmRoom room, LongSupplier clock, Runnable collector) {
        this(room, clock, collector, Thread::start);
    }

    /** @param starter starts a thread, or throws OutOfMemoryError if the machine has none left */
    GivenUp(ShmRoom room, LongSupplier clock, Runnable collector, Consumer<Thread> starter) {
        this.starter = starter;
        this.room = room;
        this.clock = clock;
        this.collector = collector;
        this.mostBytes = Math.min(MOST_BYTES, room.boundBytes() / PART_OF_BOUND);
        this.collectedNs = clock.getAsLong() - PAUSE_NS;
    }

    /**
     * Adds a mapping that this process has given up.
     *
     * @param isReserved whether the mapping counts as reserved by this process
     */
    void add(MappedByteBuffer mapping, boolean isReserved) {
        int bytes = mapping.capacity();
        synchronized (this) {
            heldBytes += bytes;
            vainCollections = 0;
        }
        CLEANER.register(mapping, new Report(bytes, isReserved));
        if (heldBytes() > mostBytes) {
            collectLater();
        }
    }

    /**
     * Reports that a mapping is gone. A named class instead of a lambda: the first mapping is often given up when the
     * first death breaks a collective, and the first lambda of its shape would add two milliseconds to that error.
     */
    private final class Report implements Runnable {
        private final int bytes;
        private final boolean isReserved;

        Report(int bytes, boolean isReserved) {
            this.bytes = bytes;
            this.isReserved = isReserved;
        }

        @Override
        public void run() {
            onGone(bytes, isReserved);
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

    /** Bytes of mappings that were given up and are not unmapped yet. */
    synchronized long heldBytes() {
        return heldBytes;
    }

    /**
     * Slows down a program that gives up memory faster than it is collected. If more than twice the tolerated bytes are
     * held, this method asks for a collection and waits until that is no longer so, about a second at most. Not to be
     * called under a lock.
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
     * Whether a collection is too soon, because the last ones found nothing. A rank that was refused a file asks again
     * and again, so the pause grows with each collection in vain.
     */
    private synchronized boolean isInVain() {
        return vainCollections > 0 && clock.getAsLong() - collectedNs < PAUSE_NS << vainCollections;
    }

    /**
     * Runs a collection now. Returns false and does nothing if a collection ended or could not be started within the
     * last second, or is running or due already. Not to be called under a lock.
     */
    boolean collect() {
        if (pauseNs() > 0 || !begin()) {
            return false;
        }
        collectNow();
        return true;
    }

    /**
     * Runs a collection in a separate thread, once a second has passed since the last one. For a caller that holds a
     * lock. Does nothing if a collection runs or is due already, if the last ones found nothing and the next is too
     * soon, or if no thread can be started now.
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
            // The caller can go on without a collection.
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

    /** Waits until no mapping was reported for {@link #GAP_NS} or none is held: the cleaner reports them one by one. */
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

    /**
     * Waits until fewer than {@code lessThanBytes} bytes are held, or the time has passed. Time in which this process
     * was stopped hardly counts, as the thread that reports did not run either. An interrupt of this thread is kept.
     */
    private synchronized void waitFor(long lessThanBytes, long mostNs) {
        boolean isInterrupted = false;
        long leftNs = mostNs;
        while (leftNs > 0 && heldBytes >= lessThanBytes) {
            long beginNs = System.nanoTime();
            try {
                wait(LOOK_NS / 1_000_000);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
            leftNs -= Math.min(System.nanoTime() - beginNs, 2 * LOOK_NS);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
