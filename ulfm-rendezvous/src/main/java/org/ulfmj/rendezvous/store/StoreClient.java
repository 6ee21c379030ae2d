package org.ulfmj.rendezvous.store;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A process's half of its session: numbers the requests, sends each again on every new connection until it is answered
 * or the session is lost, and tells the server with each request which earlier answers it lacks (S2). Pure, not
 * thread-safe.
 */
public final class StoreClient {
    /**
     * Sends a request to the store on the present connection. Without a connection the request is lost;
     * {@link StoreClient#onConnected} sends it again on the next one.
     */
    public interface Line {
        void ask(long session, long id, List<Long> open, StoreRequest request);
    }

    private record Unanswered(StoreRequest request, StoreReply reply) {}

    private final SortedMap<Long, Unanswered> unanswered = new TreeMap<>();
    private final long session;
    private long lastId;
    /** How many of the unanswered requests are of a kind that may wait at the store for another process. */
    private int waiting;

    private String lostBecause;

    /**
     * @param session the number that the server gave the session; 0 if the server answered that this process has no
     *     session any more
     */
    public StoreClient(long session) {
        this.session = session;
        if (session == 0) {
            lostBecause = "the store has no session of this process any more";
        }
    }

    /**
     * Whether this request may be sent now without exceeding the limits of unanswered requests. Withdrawals are not
     * limited here.
     */
    public boolean hasRoom(StoreRequest request) {
        return request instanceof StoreRequest.Withdraw
                || unanswered.size() < StoreLimits.MAX_UNANSWERED
                        && (!request.mayWait() || waiting < StoreLimits.MAX_WAITING);
    }

    /**
     * Sends a request, for which {@link #hasRoom} must be true. Once the session is lost, nothing is sent and the
     * returned reply is lost at once.
     */
    public StoreReply ask(StoreRequest request, Line line) {
        if (!hasRoom(request)) {
            throw new IllegalStateException(unanswered.size() + " requests to the store are unanswered");
        }
        StoreReply reply = new StoreReply(++lastId);
        if (lostBecause != null) {
            reply.lose(lostBecause);
            return reply;
        }
        unanswered.put(lastId, new Unanswered(request, reply));
        waiting += request.mayWait() ? 1 : 0;
        send(lastId, request, line);
        return reply;
    }

    /**
     * Asks the server to end the wait of an earlier request and to answer it now. Does nothing if the request was
     * answered, if the session is lost, or if {@link StoreLimits#MAX_OPEN} requests are unanswered.
     */
    public void withdraw(StoreReply reply, Line line) {
        if (unanswered.containsKey(reply.id()) && unanswered.size() < StoreLimits.MAX_OPEN) {
            ask(new StoreRequest.Withdraw(reply.id()), line);
        }
    }

    private void send(long id, StoreRequest request, Line line) {
        line.ask(session, id, new ArrayList<>(unanswered.headMap(id).keySet()), request);
    }

    /** A new connection stands: every request that is not answered is sent again, in the order of their numbers. */
    public void onConnected(Line line) {
        for (SortedMap.Entry<Long, Unanswered> entry : unanswered.entrySet()) {
            send(entry.getKey(), entry.getValue().request(), line);
        }
    }

    /** An answer has come. A second answer to the same request is ignored. */
    public void onAnswer(long id, StoreResult result) {
        Unanswered asked = unanswered.remove(id);
        if (asked != null) {
            waiting -= asked.request().mayWait() ? 1 : 0;
            asked.reply().complete(result);
        }
    }

    /**
     * S6: the session has ended. No request is sent any more; whether the unanswered requests were carried out is
     * unknown.
     */
    public void lose(String why) {
        if (lostBecause != null) {
            return;
        }
        lostBecause = why;
        for (Unanswered asked : unanswered.values()) {
            asked.reply().lose(why);
        }
        unanswered.clear();
        waiting = 0;
    }

    public long session() {
        return session;
    }

    /** How many requests are not answered. */
    public int open() {
        return unanswered.size();
    }
}
