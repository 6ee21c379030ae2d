package org.ulfmj.transport.local;

import java.util.ArrayDeque;

/**
 * The records of one lane that lie idle at its sender, by size. Bounded together with those on their way: memory of a
 * lane stays near its budget no matter what mix of sizes goes through it. Used by the sender only.
 */
final class RecordPool {
    private static final int[] CLASS_BYTES = {256, 4 * 1024, 64 * 1024, 256 * 1024};

    private final long budgetBytes;
    private final ArrayDeque<LocalRecord>[] idle = newIdle();
    /** The bytes of all records that were made and not thrown away, idle or on their way. */
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

    /** An idle record, or null. The one that came back last, as its memory is still in the cache. */
    LocalRecord idle(int sizeClass) {
        return idle[sizeClass].pollLast();
    }

    /** An idle record, or a new one. */
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
