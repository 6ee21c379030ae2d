package org.ulfmj.rendezvous.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The store of a job: carries each request out at most once, even if connections are lost and the request comes again
 * (S1 to S7). Processes are told apart by their nonces.
 *
 * <p>A session has no lease here. It lasts over any number of connections, until {@link #end} is called for it or both
 * its process and one of the same slot with a higher incarnation have made a request; a lost connection does not end
 * it.
 *
 * <p>Pure: no clock and no connection of its own. Not thread-safe.
 */
public final class StoreServer {
    /** Sends answers: on the connection that the process has at that moment, or nowhere if it has none (S4). */
    public interface Answers {
        void answer(long nonce, long id, StoreResult result);

        /**
         * S3: tells a process that this server takes no request of a session, because it has no such session, or the
         * session has ended.
         */
        void expired(long nonce, long session, String why);
    }

    private record OpenRequest(StoreSession session, long nonce, long id, StoreRequest request) {
        /**
         * The same request; if it is one of a watcher, as if the watcher knew all versions but the latest. A watcher
         * whose request has waited has missed no earlier change of its keys, even if the log has dropped changes of
         * other keys meanwhile.
         */
        OpenRequest atTheLatestChange(long version) {
            if (request instanceof StoreRequest.Changes changes) {
                StoreCursor here = new StoreCursor(version - 1, changes.from().since());
                return new OpenRequest(session, nonce, id, new StoreRequest.Changes(changes.prefix(), here));
            }
            return this;
        }
    }

    private record Ticket(long nonce, long id) {}

    private final long boot;
    private final KeyValues values = new KeyValues();
    private final SortedMap<Long, StoreSession> sessions = new TreeMap<>();

    /** The requests that wait for a change, in the order in which each was last found to have to wait. */
    private final Map<Ticket, OpenRequest> parked = new LinkedHashMap<>();

    private long lastSession;

    /** @param boot a number by which processes notice another server in the place of this one */
    public StoreServer(long boot) {
        this.boot = boot;
    }

    /**
     * S1: a process has connected and has proved that it knows the secret.
     *
     * @param session the number of the session that the process was given before; 0 if it was given none yet
     * @param attempt number of the dial, which grows with each dial of the process
     * @return null if the process has, or had, a session here and a dial of it with this number or a later one was
     *     greeted before: then this connection is not to be used
     */
    public StoreWelcome greet(long nonce, long session, long attempt) {
        StoreSession known = sessions.get(nonce);
        if (known == null && session == 0) {
            known = new StoreSession(++lastSession);
            sessions.put(nonce, known);
        }
        if (known == null) {
            return new StoreWelcome(boot, 0);
        }
        if (!known.isNewer(attempt)) {
            return null;
        }
        boolean isIts = session == 0 || session == known.number();
        return new StoreWelcome(boot, known.hasEnded() || !isIts ? 0 : known.number());
    }

    /**
     * A request has come (S3).
     *
     * @param process the process with that nonce
     * @param open the numbers of the earlier requests whose answers the process lacks; it has the answers of all other
     *     earlier ones
     */
    public void onRequest(
            long nonce,
            ProcessId process,
            long session,
            long id,
            List<Long> open,
            StoreRequest request,
            Answers answers) {
        StoreSession known = sessions.get(nonce);
        if (known == null || known.hasEnded() || known.number() != session) {
            answers.expired(nonce, session, "the store has no session " + session + " of process " + process);
            return;
        }
        if (known.process() == null) {
            known.belongTo(process);
            if (hasNewer(process)) {
                end(nonce);
                answers.expired(nonce, session, "another process has taken the place of " + process);
                return;
            }
            endOlder(process);
        }
        known.acknowledge(id, open);
        if (known.hasSeen(id)) {
            StoreResult result = known.resultOf(id);
            if (result != null) {
                answers.answer(nonce, id, result);
            }
            return;
        }
        StoreResult result = run(new OpenRequest(known, nonce, id, request), answers);
        if (result != null) {
            finish(known, nonce, id, result, answers);
        }
    }

    /**
     * S7: of the processes of a slot that have made a request, only the one with the highest incarnation keeps a
     * session. Ends the sessions of those that are earlier incarnations of the given process's slot.
     */
    private void endOlder(ProcessId process) {
        for (SortedMap.Entry<Long, StoreSession> entry : sessions.entrySet()) {
            ProcessId other = entry.getValue().process();
            if (other != null && other.slot() == process.slot() && other.incarnation() < process.incarnation()) {
                end(entry.getKey());
            }
        }
    }

    /**
     * S7: whether a later incarnation of the slot has made a request, also if its session has ended since. The first
     * request of a process may be read only after a request of its successor.
     */
    private boolean hasNewer(ProcessId process) {
        for (StoreSession session : sessions.values()) {
            ProcessId other = session.process();
            if (other != null && other.slot() == process.slot() && other.incarnation() > process.incarnation()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends the session of a process (S5, S7), if it has one. The waiting requests of the session are dropped, and no
     * later request of it is carried out.
     */
    public void end(long nonce) {
        StoreSession session = sessions.get(nonce);
        if (session == null) {
            return;
        }
        for (Long id : session.parked()) {
            parked.remove(new Ticket(nonce, id));
        }
        session.end();
    }

    /** Carries a request out and returns its result; null if the request waits. */
    private StoreResult run(OpenRequest come, Answers answers) {
        StoreRequest request = come.request();
        if (request instanceof StoreRequest.Set set) {
            return changed(set.key(), values.set(set.key(), set.value()), answers);
        }
        if (request instanceof StoreRequest.CompareAndSet compare) {
            return compareAndSet(compare, answers);
        }
        if (request instanceof StoreRequest.Add add) {
            return add(add, answers);
        }
        if (request instanceof StoreRequest.Delete delete) {
            return delete(delete, answers);
        }
        if (request instanceof StoreRequest.Withdraw withdraw) {
            withdraw(come, withdraw.id(), answers);
            return new StoreResult.Stored(0);
        }
        return look(come);
    }

    private StoreResult compareAndSet(StoreRequest.CompareAndSet compare, Answers answers) {
        StoreChange present = values.get(compare.key());
        if ((present == null ? 0 : present.version()) != compare.version()) {
            return found(present);
        }
        return changed(compare.key(), values.set(compare.key(), compare.value()), answers);
    }

    private StoreResult add(StoreRequest.Add add, Answers answers) {
        StoreChange present = values.get(add.key());
        long sum;
        try {
            sum = DecimalNumber.sum(add.key(), present == null ? null : present.value(), add.amount());
        } catch (DecimalNumber.NotAddable refusal) {
            return new StoreResult.Refused(refusal.getMessage());
        }
        StoreResult result = values.set(add.key(), DecimalNumber.bytes(sum));
        if (result instanceof StoreResult.Stored stored) {
            wake(add.key(), answers);
            return new StoreResult.Sum(sum, stored.version());
        }
        return result;
    }

    private StoreResult delete(StoreRequest.Delete delete, Answers answers) {
        String refusal = StoreLimits.refusalOfKey(delete.key());
        if (!refusal.isEmpty()) {
            return new StoreResult.Refused(refusal);
        }
        return changed(delete.key(), new StoreResult.Stored(values.delete(delete.key())), answers);
    }

    private StoreResult changed(String key, StoreResult result, Answers answers) {
        if (result instanceof StoreResult.Stored stored && stored.version() > 0) {
            wake(key, answers);
        }
        return result;
    }

    private void withdraw(OpenRequest by, long id, Answers answers) {
        if (by.session().isParked(id)) {
            parked.remove(new Ticket(by.nonce(), id));
            finish(by.session(), by.nonce(), id, new StoreResult.Withdrawn(), answers);
        }
    }

    /** Answers a request that only reads, or, if it has to wait, keeps it and returns null. */
    private StoreResult look(OpenRequest come) {
        StoreRequest request = come.request();
        if (request instanceof StoreRequest.Get get) {
            String refusal = StoreLimits.refusalOfKey(get.key());
            StoreChange present = values.get(get.key());
            if (!refusal.isEmpty() || present != null || !get.isWaiting()) {
                return refusal.isEmpty() ? found(present) : new StoreResult.Refused(refusal);
            }
            park(come);
            return null;
        }
        StoreRequest.Changes changes = (StoreRequest.Changes) request;
        String refusal = StoreLimits.refusalOfPrefix(changes.prefix());
        if (!refusal.isEmpty()) {
            return new StoreResult.Refused(refusal);
        }
        StoreResult.Changed list = values.changes(changes.prefix(), changes.from());
        if (list.changes().isEmpty() && !list.isReset()) {
            park(come);
            return null;
        }
        return list;
    }

    private void park(OpenRequest waiting) {
        waiting.session().park(waiting.id());
        parked.put(new Ticket(waiting.nonce(), waiting.id()), waiting);
    }

    private static StoreResult found(StoreChange present) {
        return present == null
                ? new StoreResult.Found(0, new byte[0])
                : new StoreResult.Found(present.version(), present.value());
    }

    /**
     * The latest change is one of this key: answers those requests that have waited for a change of the key and need
     * not wait any longer.
     */
    private void wake(String key, Answers answers) {
        List<OpenRequest> ready = new ArrayList<>();
        for (Iterator<OpenRequest> each = parked.values().iterator(); each.hasNext(); ) {
            OpenRequest waiting = each.next();
            if (concerns(waiting.request(), key)) {
                each.remove();
                ready.add(waiting);
            }
        }
        for (OpenRequest waiting : ready) {
            StoreResult result = look(waiting.atTheLatestChange(values.version()));
            if (result != null) {
                finish(waiting.session(), waiting.nonce(), waiting.id(), result, answers);
            }
        }
    }

    private static boolean concerns(StoreRequest request, String key) {
        if (request instanceof StoreRequest.Get get) {
            return get.key().equals(key);
        }
        return key.startsWith(((StoreRequest.Changes) request).prefix());
    }

    /** S3, S4: keeps the result in the same step in which it is made, and sends it. */
    private static void finish(StoreSession session, long nonce, long id, StoreResult result, Answers answers) {
        session.keep(id, result);
        answers.answer(nonce, id, result);
    }

    /** How many results are kept for a process, plus how many of its requests wait. */
    public int keptFor(long nonce) {
        StoreSession session = sessions.get(nonce);
        return session == null ? 0 : session.size();
    }
}
