package org.ulfmj.rendezvous.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys, values and versions. Each change has the next version of the whole store, so a key that is deleted and stored
 * again never has an earlier version again, and a comparison of versions cannot take one value for another.
 *
 * <p>The log has the latest change of every key that has a value, and for a while also superseded changes and
 * deletions: from it a watcher learns the changes that it has missed. Not thread-safe.
 */
final class KeyValues {
    private final SortedMap<String, StoreChange> live = new TreeMap<>();
    private final NavigableMap<Long, StoreChange> log = new TreeMap<>();

    /**
     * The changes that the log may drop: superseded changes and deletions. In front is the one that became such a
     * change first.
     */
    private final Deque<StoreChange> past = new ArrayDeque<>();

    private long version;
    private long liveBytes;
    private long pastBytes;

    /** The highest version of a deletion that the log has dropped; 0 if it has dropped none. */
    private long forgotten;

    /** Returns the version of the latest change; 0 before the first. */
    long version() {
        return version;
    }

    /** The latest change of a key, with its value; null if nothing is stored under the key. */
    StoreChange get(String key) {
        return live.get(key);
    }

    /** Stores a value. Returns {@link StoreResult.Stored}, or {@link StoreResult.Refused} with the reason. */
    StoreResult set(String key, byte[] value) {
        String refusal = StoreLimits.refusalOfValue(key, value.length);
        if (!refusal.isEmpty()) {
            return new StoreResult.Refused(refusal);
        }
        StoreChange former = live.get(key);
        int keyBytes = StoreLimits.keyBytes(key);
        long growth = value.length - (former == null ? -keyBytes : (long) former.value().length);
        boolean isFull = liveBytes + growth > StoreLimits.MAX_TOTAL_BYTES;
        if (growth > 0 && isFull && !StoreLimits.isOfLibrary(key)) {
            return new StoreResult.Refused(StoreLimits.refusalOfTotal(key, growth, liveBytes));
        }
        liveBytes += growth;
        StoreChange change = append(key, value);
        live.put(key, change);
        if (former != null) {
            retire(former);
        }
        return new StoreResult.Stored(change.version());
    }

    /** Deletes a key. Returns the version of the deletion; 0 if there was no such key. */
    long delete(String key) {
        StoreChange former = live.remove(key);
        if (former == null) {
            return 0;
        }
        liveBytes -= former.lengthBytes();
        StoreChange deletion = append(key, null);
        retire(former);
        retire(deletion);
        return deletion.version();
    }

    private StoreChange append(String key, byte[] value) {
        StoreChange change = new StoreChange(key, ++version, value);
        log.put(version, change);
        return change;
    }

    private void retire(StoreChange change) {
        past.add(change);
        pastBytes += change.lengthBytes();
        while (past.size() > StoreLimits.PAST_CHANGES || pastBytes > StoreLimits.PAST_BYTES) {
            StoreChange oldest = past.remove();
            pastBytes -= oldest.lengthBytes();
            log.remove(oldest.version());
            if (oldest.isDeletion()) {
                forgotten = Math.max(forgotten, oldest.version());
            }
        }
    }

    /**
     * Lists the changes of keys with a prefix that a watcher lacks, or the first of them where the list is full. A
     * watcher that may have missed a deletion that the log has dropped is told the whole state anew (S8).
     *
     * @param from how far the watcher has come
     * @return a list without changes if there is none to tell: then {@code next} is the cursor from which the watcher
     *     is to wait
     */
    StoreResult.Changed changes(String prefix, StoreCursor from) {
        boolean isFirst = from.last() == 0;
        boolean isReset = !isFirst && forgotten > Math.max(from.last(), from.since());
        StoreCursor begin = isFirst || isReset ? new StoreCursor(0, version) : from;
        List<StoreChange> changes = new ArrayList<>();
        long bytes = 0;
        for (StoreChange change : log.tailMap(begin.last(), false).values()) {
            // Of the versions up to the one at which the watcher began, only those changes are told whose values are
            // still the present ones; of later versions every change that the log still has is told.
            boolean counts = change.version() > begin.since() || live.get(change.key()) == change;
            if (counts && change.key().startsWith(prefix)) {
                changes.add(change);
                bytes += change.lengthBytes();
                if (bytes >= StoreLimits.LIST_BYTES || changes.size() == StoreLimits.LIST_CHANGES) {
                    return new StoreResult.Changed(new StoreCursor(change.version(), begin.since()), isReset, changes);
                }
            }
        }
        return new StoreResult.Changed(new StoreCursor(version, begin.since()), isReset, changes);
    }
}
