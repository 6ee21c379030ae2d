package org.ulfmj.rendezvous.marked;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A simulation of etcd's transactions and leases, in memory. */
public final class SimulatedEtcd {
    private record Held(Entry entry, long lease) {}

    private final SortedMap<String, Held> keys = new TreeMap<>();
    private final SortedSet<Long> leases = new TreeSet<>();
    private long revision = 1;
    private long lastLease;

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    public Entry get(String key) {
        Held held = keys.get(key);
        return held == null ? null : held.entry();
    }

    public long grant() {
        leases.add(++lastLease);
        return lastLease;
    }

    public boolean isAlive(long lease) {
        return leases.contains(lease);
    }

    public void end(long lease) {
        leases.remove(lease);
        if (keys.values().removeIf(held -> held.lease() == lease)) {
            revision++;
        }
    }

    public TxnAnswer carryOut(Txn txn, boolean mayHaveRun) {
        for (Txn.Compare compare : txn.compares()) {
            if (!holds(compare)) {
                List<Entry> read = new ArrayList<>();
                txn.gets().forEach(key -> read.add(get(text(key))));
                return new TxnAnswer(TxnAnswer.Fate.FAILED, revision, read, mayHaveRun);
            }
        }
        for (Txn.Write write : txn.writes()) {
            if (write.lease() != 0 && !leases.contains(write.lease())) {
                return new TxnAnswer(TxnAnswer.Fate.NO_LEASE, 0, List.of(), mayHaveRun);
            }
        }
        revision++;
        for (Txn.Write write : txn.writes()) {
            Entry former = get(text(write.key()));
            if (write.value() == null) {
                keys.remove(text(write.key()));
            } else {
                long created = former == null ? revision : former.created();
                Entry entry = new Entry(write.key(), write.value(), created, revision);
                keys.put(text(write.key()), new Held(entry, write.lease()));
            }
        }
        return new TxnAnswer(TxnAnswer.Fate.SUCCEEDED, revision, List.of(), mayHaveRun);
    }

    private boolean holds(Txn.Compare compare) {
        Entry entry = get(text(compare.key()));
        return switch (compare.target()) {
            case MODIFIED -> (entry == null ? 0 : entry.modified()) == compare.revision();
            case CREATED -> (entry == null ? 0 : entry.created()) == compare.revision();
            case VALUE -> entry != null && Arrays.equals(entry.value(), compare.value());
        };
    }
}
