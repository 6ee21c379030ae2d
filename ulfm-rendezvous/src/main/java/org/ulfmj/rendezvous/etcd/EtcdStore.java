package org.ulfmj.rendezvous.etcd;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.StoreLine;
import org.ulfmj.rendezvous.marked.Changes;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.MarkedChanges;
import org.ulfmj.rendezvous.store.DecimalNumber;
import org.ulfmj.rendezvous.store.StoreChange;
import org.ulfmj.rendezvous.store.StoreCursor;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;

/**
 * The store of a job in etcd. The version of a value is the revision of its last change, which etcd never gives twice.
 * Any thread.
 */
final class EtcdStore implements StoreLine {
    /**
     * The largest number of values that are read at once: together they fit into one answer
     * ({@link JsonReader#MAX_BYTES}).
     */
    private static final int LIST_KEYS = 16;

    private final EtcdClient client;
    private final Sealing sealing;
    private final EtcdKeys keys;
    private final EtcdSession session;
    private volatile boolean isClosed;

    private EtcdStore(EtcdClient client, Sealing sealing, EtcdKeys keys, EtcdSession session) {
        this.client = client;
        this.sealing = sealing;
        this.keys = keys;
        this.session = session;
    }

    /**
     * Opens the store of a job.
     *
     * @param nonce of this process: no other one has it
     * @param ttlSeconds how long this process may be without contact to etcd before its session ends
     */
    static EtcdStore open(
            EtcdClient client, Sealing sealing, EtcdKeys keys, long nonce, long ttlSeconds, long timeoutNs) {
        EtcdSession session = new EtcdSession(client, sealing, keys.marker(nonce), ttlSeconds);
        EtcdStore store = new EtcdStore(client, sealing, keys, session);
        try {
            session.begin(System.nanoTime() + timeoutNs);
            return store;
        } catch (EtcdFailure failure) {
            store.close();
            throw failure.isUnanswered()
                    ? new RendezvousFailure.Connection(failure.getMessage(), failure)
                    : refused(failure);
        } catch (RuntimeException failure) {
            store.close();
            throw failure;
        }
    }

    @Override
    public StoreResult ask(StoreRequest request, long timeoutNs) {
        long untilNs = System.nanoTime() + timeoutNs;
        requireOpen();
        try {
            return carryOut(request, untilNs);
        } catch (EtcdFailure failure) {
            requireOpen();
            throw failure.isUnanswered() ? unanswered(request, failure) : refused(request, failure);
        } catch (JsonException wrong) {
            throw new RendezvousFailure.StateCorrupt("what etcd answers cannot be read: " + wrong.getMessage());
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new RendezvousFailure.Closed("this store is closed");
        }
    }

    private static RendezvousFailure unanswered(StoreRequest request, EtcdFailure failure) {
        boolean isRead = isRead(request);
        // A read changes nothing, whether or not etcd has got it.
        if (request.mayWait() || failure.mayHaveRun() && !isRead) {
            return new RendezvousFailure.Timeout(
                    failure.getMessage() + (isRead ? "" : "; the change may still be made"), failure);
        }
        return new RendezvousFailure.Connection(failure.getMessage(), failure);
    }

    private static boolean isRead(StoreRequest request) {
        return request instanceof StoreRequest.Get || request instanceof StoreRequest.Changes;
    }

    private static RendezvousFailure refused(StoreRequest request, EtcdFailure failure) {
        if (failure.mayHaveRun() && !isRead(request)) {
            return new RendezvousFailure.OutcomeUnknown("etcd refuses: " + failure.getMessage()
                    + "; an earlier attempt got no answer: the change was made, or may still be made, or it was not");
        }
        return refused(failure);
    }

    private static RendezvousFailure refused(EtcdFailure failure) {
        return new RendezvousFailure.Refused(failure.reason(), "etcd refuses: " + failure.getMessage(), failure);
    }

    private StoreResult carryOut(StoreRequest request, long untilNs) {
        if (request instanceof StoreRequest.Get get) {
            return get(keys.value(get.key()), get.isWaiting(), untilNs);
        }
        if (request instanceof StoreRequest.Changes changes) {
            return changes(changes, untilNs);
        }
        if (request instanceof StoreRequest.Set set) {
            byte[] key = keys.value(set.key());
            MarkedChanges.Outcome outcome = session.make(Changes.set(key, sealing.seal(key, set.value())), untilNs);
            return new StoreResult.Stored(outcome.revision());
        }
        if (request instanceof StoreRequest.CompareAndSet compare) {
            byte[] key = keys.value(compare.key());
            byte[] sealed = sealing.seal(key, compare.value());
            MarkedChanges.Outcome outcome =
                    session.make(Changes.compareAndSet(key, compare.version(), sealed), untilNs);
            return outcome.revision() > 0 ? new StoreResult.Stored(outcome.revision()) : found(key, outcome.present());
        }
        if (request instanceof StoreRequest.Add add) {
            return add(add, untilNs);
        }
        if (request instanceof StoreRequest.Delete delete) {
            byte[] key = keys.value(delete.key());
            Entry present = client.get(key, untilNs);
            return new StoreResult.Stored(
                    present == null
                            ? 0
                            : session.make(Changes.delete(key, present), untilNs)
                                    .revision());
        }
        throw new IllegalArgumentException("no request for a line is " + request);
    }

    private StoreResult.Found found(byte[] key, Entry entry) {
        return entry == null
                ? new StoreResult.Found(0, new byte[0])
                : new StoreResult.Found(entry.modified(), sealing.open(key, entry.value()));
    }

    private StoreResult get(byte[] key, boolean isWaiting, long untilNs) {
        while (true) {
            EtcdRange range = client.list(key, key, 0, 0, 1, untilNs);
            if (!range.entries().isEmpty() || !isWaiting) {
                return found(
                        key, range.entries().isEmpty() ? null : range.entries().get(0));
            }
            Entry stored = awaitValue(key, range.revision() + 1, untilNs);
            if (stored != null) {
                return found(key, stored);
            }
        }
    }

    /** Waits until the key gets a value, and returns it. Returns null if the caller has to read the key again. */
    private Entry awaitValue(byte[] key, long fromRevision, long untilNs) {
        try {
            for (Entry change : client.awaitChanges(key, null, fromRevision, untilNs)) {
                if (change.value() != null) {
                    return change;
                }
            }
        } catch (EtcdFailure failure) {
            if (!failure.isCompacted()) {
                throw failure;
            }
        }
        return null;
    }

    private StoreResult add(StoreRequest.Add add, long untilNs) {
        byte[] key = keys.value(add.key());
        Changes.Numbers numbers = new Changes.Numbers() {
            @Override
            public long sum(Entry present) {
                return DecimalNumber.sum(
                        add.key(), present == null ? null : sealing.open(key, present.value()), add.amount());
            }

            @Override
            public byte[] sealed(long sum) {
                return sealing.seal(key, DecimalNumber.bytes(sum));
            }
        };
        try {
            MarkedChanges.Outcome outcome = session.make(Changes.add(key, client.get(key, untilNs), numbers), untilNs);
            return new StoreResult.Sum(outcome.sum(), outcome.revision());
        } catch (DecimalNumber.NotAddable refusal) {
            return new StoreResult.Refused(refusal.getMessage());
        }
    }

    /**
     * Answers a watcher. S11: while the cursor's {@code last} is below its {@code since}, the answer has the keys as
     * they were in revision {@code since}, in the order of their changes; from there on every change after
     * {@code last}.
     */
    private StoreResult changes(StoreRequest.Changes ask, long untilNs) {
        byte[] prefix = keys.value(ask.prefix());
        StoreCursor from = ask.from();
        try {
            if (from.last() == 0 || from.last() < from.since()) {
                EtcdRange range =
                        client.list(prefix, EtcdClient.endOf(prefix), from.last(), from.since(), LIST_KEYS, untilNs);
                long since = from.since() == 0 ? range.revision() : from.since();
                List<StoreChange> changes = opened(range.entries());
                long last = range.hasMore() ? changes.get(changes.size() - 1).version() : since;
                from = new StoreCursor(last, since);
                if (!changes.isEmpty()) {
                    return new StoreResult.Changed(from, false, changes);
                }
            }
            List<StoreChange> changes =
                    opened(client.awaitChanges(prefix, EtcdClient.endOf(prefix), from.last() + 1, untilNs));
            long last = changes.get(changes.size() - 1).version();
            return new StoreResult.Changed(new StoreCursor(last, from.since()), false, changes);
        } catch (EtcdFailure failure) {
            if (failure.isCompacted()) {
                return new StoreResult.Changed(StoreCursor.START, true, List.of());
            }
            throw failure;
        }
    }

    private List<StoreChange> opened(List<Entry> entries) {
        List<StoreChange> changes = new ArrayList<>();
        for (Entry entry : entries) {
            byte[] value = entry.value() == null ? null : sealing.open(entry.key(), entry.value());
            changes.add(new StoreChange(keys.keyOf(entry.key()), entry.modified(), value));
        }
        return changes;
    }

    /** A text for logs. */
    @Override
    public String toString() {
        return "store at " + new String(keys.value(""), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            session.close();
            client.close();
        }
    }
}
