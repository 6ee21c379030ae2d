package org.ulfmj.rendezvous;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.Outbox;

/**
 * A small shared store of the job: a process puts a value under a key, and any process may read it. A process that asks
 * before the value is there waits for it. Keys of up to 1 KiB, values of up to 1 MiB, 64 MiB in all: it exchanges
 * addresses and settings, no data.
 *
 * <p>Part of the rendezvous core: pure, not thread-safe. Repeating a request does no harm.
 */
final class KeyValueStore {
    static final int MAX_KEY_BYTES = 1 << 10;
    static final int MAX_VALUE_BYTES = 1 << 20;
    static final long MAX_TOTAL_BYTES = 64L << 20;

    private record Waiter(long nonce, long request) {}

    private final Map<String, byte[]> values = new LinkedHashMap<>();
    private final Map<String, List<Waiter>> waiting = new LinkedHashMap<>();
    private long totalBytes;

    /**
     * Stores a value, in place of an earlier one if there is one. Answers the process that put it, and all processes
     * that wait for it.
     */
    void put(long nonce, RendezvousMessage.Put put, Outbox<Long, RendezvousMessage> out) {
        String refusal = refusal(put.key(), put.value());
        if (refusal.isEmpty()) {
            totalBytes += growth(put.key(), put.value());
            values.put(put.key(), put.value());
        }
        out.send(nonce, new RendezvousMessage.Stored(put.request(), refusal));
        if (refusal.isEmpty()) {
            answerWaiters(put.key(), out);
        }
    }

    private void answerWaiters(String key, Outbox<Long, RendezvousMessage> out) {
        List<Waiter> waiters = waiting.remove(key);
        if (waiters == null) {
            return;
        }
        for (Waiter waiter : waiters) {
            out.send(waiter.nonce(), new RendezvousMessage.Value(waiter.request(), values.get(key)));
        }
    }

    /** Answers a request for a value: at once if there is a value, otherwise as soon as there is one. */
    void get(long nonce, RendezvousMessage.Get get, Outbox<Long, RendezvousMessage> out) {
        byte[] value = values.get(get.key());
        if (value != null) {
            out.send(nonce, new RendezvousMessage.Value(get.request(), value));
            return;
        }
        List<Waiter> waiters = waiting.get(get.key());
        if (waiters == null) {
            waiters = new ArrayList<>();
            waiting.put(get.key(), waiters);
        }
        Waiter waiter = new Waiter(nonce, get.request());
        if (!waiters.contains(waiter)) {
            waiters.add(waiter);
        }
    }

    /** Drops the requests of a process that has ended: they are not answered any more. */
    void forget(long nonce) {
        for (Iterator<List<Waiter>> lists = waiting.values().iterator(); lists.hasNext(); ) {
            List<Waiter> waiters = lists.next();
            for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
                if (each.next().nonce() == nonce) {
                    each.remove();
                }
            }
            if (waiters.isEmpty()) {
                lists.remove();
            }
        }
    }

    private String refusal(String key, byte[] value) {
        if (keyBytes(key) > MAX_KEY_BYTES) {
            return "key of " + keyBytes(key) + " bytes, at most " + MAX_KEY_BYTES + " allowed";
        }
        if (value.length > MAX_VALUE_BYTES) {
            return "value of " + value.length + " bytes for key '" + key + "', at most " + MAX_VALUE_BYTES + " allowed";
        }
        if (totalBytes + growth(key, value) > MAX_TOTAL_BYTES) {
            return "the store holds " + totalBytes + " bytes, key '" + key + "' would exceed " + MAX_TOTAL_BYTES;
        }
        return "";
    }

    private long growth(String key, byte[] value) {
        byte[] former = values.get(key);
        return former == null ? keyBytes(key) + value.length : value.length - former.length;
    }

    private static int keyBytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8).length;
    }
}
