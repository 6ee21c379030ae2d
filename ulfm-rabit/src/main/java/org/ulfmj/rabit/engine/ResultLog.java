package org.ulfmj.rabit.engine;

import java.util.Arrays;

/**
 * The results since the last checkpoint, by number. A dropped result leaves a hole, which only other ranks can fill.
 * For one thread.
 */
final class ResultLog {
    private final ResultMemory memory;
    private Entry[] entries = new Entry[16];
    /** No result of this number or a higher one is in the log. Only {@link #dropFrom} and {@link #clear} lower it. */
    private int end;
    /** The number below which {@link #release} has looked at every result, and has dropped or kept it. */
    private int released;

    private long lengthBytes;
    private long boundedBytes;
    private long mostBytes;

    ResultLog(ResultMemory memory) {
        this.memory = memory;
    }

    /** The result of a number; null if it was dropped, or never held. */
    Entry get(long sequence) {
        return sequence < end ? entries[(int) sequence] : null;
    }

    void put(long sequence, Entry entry) {
        int index = Math.toIntExact(sequence);
        if (index >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(2 * entries.length, index + 1));
        }
        if (entries[index] != null) {
            throw new IllegalStateException("result " + sequence + " is in the log already");
        }
        entries[index] = entry;
        end = Math.max(end, index + 1);
        lengthBytes += entry.lengthBytes();
        boundedBytes += entry.boundedBytes();
        mostBytes = Math.max(mostBytes, lengthBytes);
    }

    /** RELEASE: drops the results below the horizon, except those that this rank keeps. */
    void release(long horizon) {
        int below = (int) Math.min(horizon, end);
        for (int index = released; index < below; index++) {
            if (entries[index] != null && !entries[index].keep()) {
                drop(index);
            }
        }
        released = Math.max(released, below);
    }

    /** The first number from {@code sequence} on whose result is not held. */
    long heldFrom(long sequence) {
        long next = sequence;
        while (get(next) != null) {
            next++;
        }
        return next;
    }

    void dropFrom(long sequence) {
        for (int index = (int) Math.min(sequence, end); index < end; index++) {
            drop(index);
        }
        end = (int) Math.min(sequence, end);
        released = Math.min(released, end);
    }

    void clear() {
        for (int index = end - 1; index >= 0; index--) { // backwards, so that the first buffer is used again first
            drop(index);
        }
        end = 0;
        released = 0;
    }

    private void drop(int index) {
        Entry entry = entries[index];
        if (entry != null) {
            entries[index] = null;
            lengthBytes -= entry.lengthBytes();
            boundedBytes -= entry.boundedBytes();
            entry.giveBackTo(memory);
        }
    }

    Runs held() {
        Runs.Builder held = new Runs.Builder();
        for (int index = 0; index < end; index++) {
            if (entries[index] != null) {
                held.add(index);
            }
        }
        return held.build();
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** The bytes of the results in the log of operations that this rank took part in, without fetched results. */
    long boundedBytes() {
        return boundedBytes;
    }

    /** The largest value that {@link #lengthBytes} ever had. */
    long mostBytes() {
        return mostBytes;
    }
}
