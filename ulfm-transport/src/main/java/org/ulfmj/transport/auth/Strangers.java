package org.ulfmj.transport.auth;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The accepted connections whose other ends have not yet proved that they know the job's secret. Any process that can
 * reach the port can open one, so their number and their time are limited: the oldest is closed when there are too
 * many, and each is closed when its time has passed (rule L1).
 */
public final class Strangers {
    public static final int MAX = 64;

    private final long limitNs;
    /** Connections in the order of their arrival, each with the time from which {@link #onTick} closes it. */
    private final Map<Stranger, Long> waiting = new LinkedHashMap<>();

    public Strangers(long limitNs) {
        this.limitNs = limitNs;
    }

    public void add(Stranger stranger, long nowNs) {
        if (waiting.size() >= MAX) {
            Iterator<Stranger> oldest = waiting.keySet().iterator();
            Stranger dropped = oldest.next();
            oldest.remove();
            dropped.drop();
        }
        waiting.put(stranger, nowNs + limitNs);
    }

    /** Removes a connection whose other end has proved that it knows the secret, or that has ended. */
    public void remove(Stranger stranger) {
        waiting.remove(stranger);
    }

    public void onTick(long nowNs) {
        if (waiting.isEmpty()) {
            return;
        }
        for (Iterator<Map.Entry<Stranger, Long>> i = waiting.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Stranger, Long> oldest = i.next();
            if (nowNs - oldest.getValue() < 0) {
                return;
            }
            i.remove();
            oldest.getKey().drop();
        }
    }

    public long nextDeadlineNs() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.values().iterator().next();
    }

    public void dropAll() {
        for (Stranger stranger : waiting.keySet()) {
            stranger.drop();
        }
        waiting.clear();
    }

    /** A copy of the connections, in the order of their arrival. */
    public List<Stranger> all() {
        return List.copyOf(waiting.keySet());
    }

    public int count() {
        return waiting.size();
    }
}
