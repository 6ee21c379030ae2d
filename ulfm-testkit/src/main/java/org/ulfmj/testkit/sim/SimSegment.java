package org.ulfmj.testkit.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Segment;

/**
 * A segment in simulated time. Its maker writes into memory that no other rank sees. Each release of a word sends the
 * stores since the release before to the memory that the other ranks read. They arrive there some time later, the
 * released word last. In some releases all stores but the word are visible at once. A machine may do either, and a
 * program must be right with both. The maker may also die at a release, before any store of that release is seen.
 */
final class SimSegment extends Segment {
    private static final int EARLY_PERCENT = 50;
    private static final int WORD_BYTES = Long.BYTES;

    /** The form of the segment that the other ranks read. */
    private static final class Shown extends Segment {
        Shown(ProcessId maker, long id, byte[] bytes) {
            super(maker, id, ByteBuffer.wrap(bytes));
        }

        @Override
        public long wordAcquire(int at) {
            return memory().getLong(at);
        }

        @Override
        public long wordVolatile(int at) {
            return wordAcquire(at);
        }

        @Override
        public void wordRelease(int at, long value) {
            throw new IllegalStateException("a segment of rank " + maker() + " is written by another");
        }
    }

    /**
     * What one release sends to the other ranks: the words that changed since the release before, and last the released
     * word itself.
     */
    private final class Store implements Runnable {
        private final int[] places;
        private final long[] values;

        Store(int[] places, long[] values) {
            this.places = places;
            this.values = values;
        }

        /** Makes the first {@code count} words visible to the other ranks. */
        void show(int count) {
            for (int i = 0; i < count; i++) {
                shown.memory().putLong(places[i], values[i]);
            }
        }

        private long digest() {
            long digest = 0;
            for (int i = 0; i < places.length; i++) {
                digest = SimJournal.mix(SimJournal.mix(digest, places[i]), values[i]);
            }
            return digest;
        }

        @Override
        public void run() {
            show(places.length);
            job.note(SimJournal.Kind.FRAME, rank, digest(), "its own stores to memory that others read");
            for (SimRank other : job.processes()) {
                if (other != rank) {
                    other.onStore();
                }
            }
        }
    }

    private final SimJob job;
    private final SimRank rank;
    private final byte[] written;
    /** The words as they were at the last release. */
    private final byte[] released;

    private final Shown shown;
    private long lastStoreNs;

    SimSegment(SimJob job, SimRank rank, long id, int lengthBytes) {
        this(job, rank, id, new byte[lengthBytes]);
    }

    private SimSegment(SimJob job, SimRank rank, long id, byte[] written) {
        super(rank.id(), id, ByteBuffer.wrap(written));
        this.job = job;
        this.rank = rank;
        this.written = written;
        this.released = new byte[written.length];
        this.shown = new Shown(maker(), id, new byte[written.length]);
    }

    Segment shown() {
        return shown;
    }

    @Override
    public long wordAcquire(int at) {
        return memory().getLong(at);
    }

    @Override
    public long wordVolatile(int at) {
        return wordAcquire(at);
    }

    @Override
    public void wordRelease(int at, long value) {
        Store store = store(at, value);
        rank.onOffer(store.places.length * WORD_BYTES);
        if (rank.hasEnded()) {
            return;
        }
        if (job.storesEarly(EARLY_PERCENT)) {
            store.show(store.places.length - 1);
        }
        lastStoreNs = Math.max(lastStoreNs + 1, job.nowNs() + job.delayNs());
        job.at(lastStoreNs, store);
    }

    /** The store of one release: all words that differ from the last release, and the released word. */
    private Store store(int at, long value) {
        int[] places = new int[16];
        int count = 0;
        for (int from = difference(0); from < written.length; from = difference(from + WORD_BYTES)) {
            if (count + 1 >= places.length) {
                places = Arrays.copyOf(places, 2 * count);
            }
            places[count++] = from;
        }
        places = Arrays.copyOf(places, count + 1);
        long[] values = new long[count + 1];
        ByteBuffer before = ByteBuffer.wrap(released).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            values[i] = memory().getLong(places[i]);
            before.putLong(places[i], values[i]);
        }
        places[count] = at;
        values[count] = value;
        memory().putLong(at, value);
        before.putLong(at, value);
        return new Store(places, values);
    }

    /**
     * The place of the first word, from {@code from} on, that has changed since the last release; the length of the
     * segment if there is none.
     */
    private int difference(int from) {
        int found = Arrays.mismatch(written, from, written.length, released, from, released.length);
        return found < 0 ? written.length : (from + found) / WORD_BYTES * WORD_BYTES;
    }
}
