package org.ulfmj.rendezvous.etcd;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.rendezvous.marked.TxnAnswer;

/**
 * The requests to etcd 3.4 or later, by its JSON gateway: transactions, ranges, puts, deletions, leases and watches.
 * Reads are linearizable. Any thread. Every call waits for its answer, but no longer than until {@code untilNs} of
 * {@link System#nanoTime}, and throws {@link EtcdFailure} without an answer.
 */
final class EtcdClient implements AutoCloseable {
    private final EtcdCalls calls;

    EtcdClient(EtcdAccess access) {
        calls = new EtcdCalls(access);
    }

    /** The first key after all that begin with a prefix, which must not be empty and not end with the byte 255. */
    static byte[] endOf(byte[] prefix) {
        byte[] end = prefix.clone();
        end[end.length - 1]++;
        return end;
    }

    /** Reads one key; returns null if it does not exist. */
    Entry get(byte[] key, long untilNs) {
        List<Entry> entries = range(new JsonWriter().bytes("key", key), untilNs).entries();
        return entries.isEmpty() ? null : entries.get(0);
    }

    /**
     * Reads keys, in the order of their last changes.
     *
     * @param end the first key after those that are asked for; {@code key} itself to read this one key
     * @param afterModified only keys that were changed after this revision are read
     * @param revision the revision of etcd as of which keys are read; 0 for the present one
     * @param limit the largest number of keys in the answer
     */
    EtcdRange list(byte[] key, byte[] end, long afterModified, long revision, int limit, long untilNs) {
        JsonWriter request = new JsonWriter()
                .bytes("key", key)
                .text("sort_order", "ASCEND")
                .text("sort_target", "MOD")
                .number("limit", limit)
                .number("min_mod_revision", afterModified + 1);
        if (end != key) {
            request.bytes("range_end", end);
        }
        if (revision > 0) {
            request.number("revision", revision);
        }
        return range(request, untilNs);
    }

    private EtcdRange range(JsonWriter request, long untilNs) {
        JsonObject answer = calls.ask("/v3/kv/range", request, untilNs).body();
        return new EtcdRange(entries(answer), revision(answer), answer.flag("more"));
    }

    private static List<Entry> entries(JsonObject range) {
        List<Entry> entries = new ArrayList<>();
        for (JsonObject kv : range.objects("kvs")) {
            entries.add(entry(kv));
        }
        return entries;
    }

    private static long revision(JsonObject answer) {
        return answer.object("header").number("revision");
    }

    /** @param lease the lease with whose end the key is deleted; 0 for none */
    long put(byte[] key, byte[] value, long lease, long untilNs) {
        return revision(
                calls.ask("/v3/kv/put", TxnJson.put(key, value, lease), untilNs).body());
    }

    /** Deletes all keys with a prefix. Returns how many there were. */
    long deleteAll(byte[] prefix, long untilNs) {
        JsonWriter request = new JsonWriter().bytes("key", prefix).bytes("range_end", endOf(prefix));
        return calls.ask("/v3/kv/deleterange", request, untilNs).body().number("deleted");
    }

    /**
     * Carries out a transaction. It must be safe to send twice: its comparisons must tell whether it was carried out
     * before.
     *
     * @throws EtcdFailure if etcd refuses the transaction for another reason than an ended lease, or does not answer in
     *     time
     */
    TxnAnswer txn(Txn txn, long untilNs) {
        EtcdCalls.Answer answer;
        try {
            answer = calls.ask("/v3/kv/txn", TxnJson.of(txn), untilNs);
        } catch (EtcdFailure failure) {
            if (failure.isNotFound()) {
                return new TxnAnswer(TxnAnswer.Fate.NO_LEASE, 0, List.of(), failure.mayHaveRun());
            }
            throw failure;
        }
        JsonObject body = answer.body();
        if (body.flag("succeeded")) {
            return new TxnAnswer(TxnAnswer.Fate.SUCCEEDED, revision(body), List.of(), answer.mayHaveRun());
        }
        List<Entry> read = new ArrayList<>();
        for (JsonObject response : body.objects("responses")) {
            List<Entry> found = entries(response.object("response_range"));
            read.add(found.isEmpty() ? null : found.get(0));
        }
        if (read.size() != txn.gets().size()) {
            throw new JsonException(
                    "a transaction reads " + txn.gets().size() + " keys, the answer has " + read.size());
        }
        return new TxnAnswer(TxnAnswer.Fate.FAILED, revision(body), read, answer.mayHaveRun());
    }

    private static Entry entry(JsonObject kv) {
        return new Entry(kv.bytes("key"), kv.bytes("value"), kv.number("create_revision"), kv.number("mod_revision"));
    }

    /**
     * Gets a lease. If an answer gets lost, etcd has one more lease, which no key uses and which ends by itself.
     *
     * @param ttlSeconds the length of the lease; etcd may give more
     */
    EtcdLease grant(long ttlSeconds, long untilNs) {
        JsonObject answer = calls.ask("/v3/lease/grant", new JsonWriter().number("TTL", ttlSeconds), untilNs)
                .body();
        return new EtcdLease(answer.number("ID"), answer.number("TTL"));
    }

    /** Renews a lease. Returns whether the lease existed. */
    boolean keepAlive(long lease, long untilNs) {
        JsonObject answer = calls.ask("/v3/lease/keepalive", new JsonWriter().number("ID", lease), untilNs)
                .body();
        if (!answer.has("result")) {
            // The gateway opens a stream for this request, and reports an error of that stream in an answer with status
            // OK.
            String error = answer.object("error").text("message");
            throw EtcdFailure.unanswered(true, "a lease was not renewed: " + error, null);
        }
        return answer.object("result").number("TTL") > 0;
    }

    /**
     * Ends a lease, and deletes its keys. Returns whether this call, or an attempt of it that got no answer, may have
     * ended it.
     */
    boolean revoke(long lease, long untilNs) {
        try {
            calls.ask("/v3/lease/revoke", new JsonWriter().number("ID", lease), untilNs);
            return true;
        } catch (EtcdFailure failure) {
            if (failure.isNotFound()) {
                return failure.mayHaveRun();
            }
            throw failure;
        }
    }

    /**
     * Waits for the next change of a range of keys.
     *
     * @param end the first key after the range; null for the one key
     * @param fromRevision the first revision whose changes count; it may be long ago
     * @return the changes that etcd reports together, oldest first
     * @throws EtcdFailure {@link EtcdFailure#isCompacted} if etcd does not keep changes of that time any more,
     *     {@link EtcdFailure#isUnanswered} if nothing has changed until then; also if etcd refuses or ends the watch
     */
    List<Entry> awaitChanges(byte[] key, byte[] end, long fromRevision, long untilNs) {
        JsonWriter create = new JsonWriter().bytes("key", key);
        if (end != null) {
            create.bytes("range_end", end);
        }
        create.number("start_revision", fromRevision);
        JsonObject result = calls.awaitLine(
                        "/v3/watch", new JsonWriter().object("create_request", create), untilNs, EtcdClient::isNews)
                .body()
                .object("result");
        if (result.number("compact_revision") > 0) {
            throw EtcdFailure.refused(
                    EtcdFailure.OUT_OF_RANGE, false, "the changes since revision " + fromRevision + " are compacted");
        }
        if (result.flag("canceled")) {
            throw EtcdFailure.refused(
                    EtcdFailure.UNKNOWN, false, "etcd has ended a watch: " + result.text("cancel_reason"));
        }
        List<Entry> changes = new ArrayList<>();
        for (JsonObject event : result.objects("events")) {
            JsonObject kv = event.object("kv");
            changes.add(
                    event.text("type").equals("DELETE")
                            ? new Entry(kv.bytes("key"), null, 0, kv.number("mod_revision"))
                            : entry(kv));
        }
        return changes;
    }

    /**
     * Whether a line of a watch has changes or the end of the watch, and not only the message that the watch has begun.
     * A line that is no JSON counts too, so that the caller finds the error.
     */
    private static boolean isNews(byte[] line) {
        try {
            JsonObject result = JsonReader.read(line).object("result");
            return !result.objects("events").isEmpty() || result.flag("canceled");
        } catch (JsonException e) {
            return true;
        }
    }

    /** Lets etcd forget all that was superseded before a revision. */
    void compact(long revision, long untilNs) {
        calls.ask("/v3/kv/compaction", new JsonWriter().number("revision", revision), untilNs);
    }

    /** Any other call. */
    JsonObject call(String path, JsonWriter request, long untilNs) {
        return calls.ask(path, request, untilNs).body();
    }

    /** Closes this client: calls that wait, and later ones, fail. */
    @Override
    public void close() {
        calls.close();
    }
}
