package org.ulfmj.check.rendezvous.elected;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rendezvous.elect.EtcdReply;
import org.ulfmj.rendezvous.elect.EtcdRequest;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.rendezvous.marked.TxnAnswer;

/** The keys and leases of the simulated etcd, and the effects of requests on them. */
final class StoredKeys {
    private record Held(Entry entry, long lease) {}

    private final SortedMap<String, Held> keys = new TreeMap<>();

    /** When each lease ends. */
    private final SortedMap<Long, Long> leases = new TreeMap<>();

    private long revision = 1;
    private long lastLease;

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    /** Returns the entry of a key; null if it does not exist. */
    Entry get(byte[] key) {
        Held held = keys.get(text(key));
        return held == null ? null : held.entry();
    }

    /** Ends the leases whose time is over. */
    void expire(long nowNs) {
        for (Long lease : List.copyOf(leases.keySet())) {
            if (leases.get(lease) <= nowNs) {
                revoke(lease);
            }
        }
    }

    /** Gives every lease that has not been ended its full time again. */
    void extend(long nowNs) {
        leases.replaceAll((lease, untilNs) -> nowNs + Times.TTL_NS);
    }

    EtcdReply carryOut(EtcdRequest request, long nowNs) {
        if (request instanceof EtcdRequest.Grant grant) {
            leases.put(++lastLease, nowNs + grant.ttlSeconds() * 1_000 * Times.MS);
            return new EtcdReply.Granted(lastLease);
        }
        if (request instanceof EtcdRequest.KeepAlive keepAlive) {
            Long untilNs = leases.computeIfPresent(keepAlive.lease(), (lease, until) -> nowNs + Times.TTL_NS);
            return new EtcdReply.Kept(untilNs != null);
        }
        if (request instanceof EtcdRequest.Revoke revoke) {
            revoke(revoke.lease());
            return new EtcdReply.Revoked();
        }
        return new EtcdReply.Done(carryOut(((EtcdRequest.Transact) request).txn()));
    }

    private void revoke(long lease) {
        leases.remove(lease);
        if (keys.values().removeIf(held -> held.lease() == lease)) {
            revision++;
        }
    }

    private TxnAnswer carryOut(Txn txn) {
        for (Txn.Compare compare : txn.compares()) {
            if (!holds(compare)) {
                List<Entry> read = new ArrayList<>();
                txn.gets().forEach(key -> read.add(get(key)));
                return new TxnAnswer(TxnAnswer.Fate.FAILED, revision, read, false);
            }
        }
        for (Txn.Write write : txn.writes()) {
            if (write.lease() != 0 && !leases.containsKey(write.lease())) {
                return new TxnAnswer(TxnAnswer.Fate.NO_LEASE, 0, List.of(), false);
            }
        }
        revision++;
        txn.writes().forEach(this::write);
        return new TxnAnswer(TxnAnswer.Fate.SUCCEEDED, revision, List.of(), false);
    }

    private void write(Txn.Write write) {
        Entry former = get(write.key());
        if (write.value() == null) {
            keys.remove(text(write.key()));
            return;
        }
        long created = former == null ? revision : former.created();
        keys.put(text(write.key()), new Held(new Entry(write.key(), write.value(), created, revision), write.lease()));
    }

    private boolean holds(Txn.Compare compare) {
        Entry entry = get(compare.key());
        return switch (compare.target()) {
            case MODIFIED -> (entry == null ? 0 : entry.modified()) == compare.revision();
            case CREATED -> (entry == null ? 0 : entry.created()) == compare.revision();
            case VALUE -> entry != null && Arrays.equals(entry.value(), compare.value());
        };
    }
}
