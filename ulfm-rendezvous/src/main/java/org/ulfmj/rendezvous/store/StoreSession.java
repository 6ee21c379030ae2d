package org.ulfmj.rendezvous.store;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * The server's half of one process's session: which requests it has seen, and their results until the process says that
 * it has them (S3, S4) or the session ends. A connection that ends does not end the session. Not thread-safe.
 */
final class StoreSession {
    /** Stands in the table for the result of a request that waits for a change of the store. */
    private static final StoreResult PARKED = new StoreResult.Withdrawn();

    private final long number;

    /** The requests whose answers the process perhaps does not have yet, with their results. */
    private final SortedMap<Long, StoreResult> table = new TreeMap<>();

    private ProcessId process;
    private long lastAttempt;
    private long lastId;
    private boolean hasEnded;

    StoreSession(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    /** The process that the session belongs to; null until its first request. */
    ProcessId process() {
        return process;
    }

    void belongTo(ProcessId owner) {
        process = owner;
    }

    /**
     * S1: whether a dial has a higher number than all dials of this process before. If so, its number is noted as the
     * highest.
     */
    boolean isNewer(long attempt) {
        if (attempt <= lastAttempt) {
            return false;
        }
        lastAttempt = attempt;
        return true;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** Ends this session (S5, S7). All results and waiting requests are forgotten here. */
    void end() {
        hasEnded = true;
        table.clear();
    }

    /**
     * Drops the results that the process has received: those of all requests before this one except the open ones (S2).
     *
     * @param open the earlier requests whose answers the process lacks
     */
    void acknowledge(long id, List<Long> open) {
        SortedSet<Long> kept = new TreeSet<>(open);
        table.headMap(id).keySet().retainAll(kept);
    }

    /** Whether a request with this number came before. Requests come in the order of their numbers. */
    boolean hasSeen(long id) {
        return id <= lastId;
    }

    /**
     * The result of a request that came before; null if the request still waits, or if the process has confirmed that
     * it has the result.
     */
    StoreResult resultOf(long id) {
        StoreResult result = table.get(id);
        return result == PARKED ? null : result;
    }

    boolean isParked(long id) {
        return table.get(id) == PARKED;
    }

    void park(long id) {
        keep(id, PARKED);
    }

    void keep(long id, StoreResult result) {
        lastId = Math.max(lastId, id);
        table.put(id, result);
    }

    /** The requests that wait. */
    List<Long> parked() {
        List<Long> parked = new ArrayList<>();
        for (SortedMap.Entry<Long, StoreResult> entry : table.entrySet()) {
            if (entry.getValue() == PARKED) {
                parked.add(entry.getKey());
            }
        }
        return parked;
    }

    /** How many results are kept, plus how many requests wait. */
    int size() {
        return table.size();
    }
}
