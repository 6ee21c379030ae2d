package org.ulfmj.transport.local;

import java.util.ArrayDeque;

/**
 * The idle records of one lane, by size class. While all records of the lane, idle and in transit, exceed the budget in
 * bytes, records that come back are not kept. Used by the sender only.
 */
final class RecordPool {
    private static final int[] CLASS_BYTES = {256, 4 * 1024, 64 * 1024, 256 * 1024};

    private final long budgetBytes;
    private final ArrayDeque<LocalRecord>[] idle = newIdle();
    /** The bytes of all records of the lane that exist, idle or in transit. */
    private long ownedBytes;

    RecordPool(long budgetBytes) {
        this.budgetBytes = budgetBytes;
    }

    static int classFor(int payloadBytes) {
        int sizeClass = 0;
        while (CLASS_BYTES[sizeClass] < payloadBytes) {
            sizeClass++;
        }
        return sizeClass;
    }

    static int bytesOf(int sizeClass) {
        return CLASS_BYTES[sizeClass];
    }

    /**
     * An idle record of a size class; null if there is none. The record that came back last is taken, because its
     * memory is most likely still in the cache.
     */
    LocalRecord idle(int sizeClass) {
        return idle[sizeClass].pollLast();
    }

    /**
     * An idle record of a size class, or a new one. For a new one, idle records of other sizes are thrown away as far
     * as the budget demands it.
     */
    LocalRecord take(int sizeClass) {
        LocalRecord record = idle(sizeClass);
        if (record != null) {
            return record;
        }
        for (int other = CLASS_BYTES.length - 1; other >= 0 && ownedBytes + bytesOf(sizeClass) > budgetBytes; other--) {
            throwAway(other, ownedBytes + bytesOf(sizeClass) - budgetBytes);
        }
        ownedBytes += bytesOf(sizeClass);
        return new LocalRecord(sizeClass);
    }

    void giveBack(LocalRecord record) {
        if (ownedBytes > budgetBytes) {
            ownedBytes -= bytesOf(record.sizeClass);
        } else {
            idle[record.sizeClass].addLast(record);
        }
    }

    private void throwAway(int sizeClass, long bytes) {
        for (long left = bytes; left > 0 && idle[sizeClass].pollLast() != null; left -= bytesOf(sizeClass)) {
            ownedBytes -= bytesOf(sizeClass);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<LocalRecord>[] newIdle() {
        ArrayDeque<LocalRecord>[] stacks = new ArrayDeque[CLASS_BYTES.length];
        for (int i = 0; i < stacks.length; i++) {
            stacks[i] = new ArrayDeque<>();
        }
        return stacks;
    }
}
