package org.ulfmj.transport.session;

import java.util.ArrayList;
import java.util.List;

/** Connections that are half-closed. Each is read to its end, or until its deadline. */
final class Lingering<C> {
    private record Entry<C>(C connection, long deadlineNs) {}

    private final List<Entry<C>> entries = new ArrayList<>(1);

    void add(C connection, long deadlineNs) {
        entries.add(new Entry<>(connection, deadlineNs));
    }

    void remove(C connection) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).connection == connection) {
                entries.remove(i);
            }
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Takes out a connection whose deadline has passed; null if there is none. */
    C pollOverdue(long nowNs) {
        for (int i = 0; i < entries.size(); i++) {
            if (nowNs - entries.get(i).deadlineNs >= 0) {
                return entries.remove(i).connection;
            }
        }
        return null;
    }

    long deadlineNs() {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < entries.size(); i++) {
            earliest = Math.min(earliest, entries.get(i).deadlineNs);
        }
        return earliest;
    }
}
