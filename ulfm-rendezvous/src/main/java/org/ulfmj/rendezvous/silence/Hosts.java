package org.ulfmj.rendezvous.silence;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The hosts of the job, and which process is on which host. A process without a placement counts as one of the
 * launcher's host.
 */
final class Hosts {
    /** Index of the host on which the launcher runs. */
    static final int COORDINATORS = 0;

    private final SortedMap<Integer, Host> all = new TreeMap<>();
    private final SortedMap<ProcessId, Host> places = new TreeMap<>();

    void place(ProcessId process, int index, long atNs) {
        places.put(process, at(index, atNs));
    }

    void forget(ProcessId process) {
        places.remove(process);
    }

    Host of(ProcessId process, long atNs) {
        Host host = places.get(process);
        return host == null ? at(COORDINATORS, atNs) : host;
    }

    Host at(int index, long atNs) {
        Host known = all.get(index);
        if (known != null) {
            return known;
        }
        Host host = new Host(index, atNs);
        all.put(index, host);
        return host;
    }

    /** Whether a host besides the launcher's is known. */
    boolean areSeveral() {
        return !all.isEmpty() && all.lastKey() > COORDINATORS;
    }

    Collection<Host> all() {
        return all.values();
    }

    /** Each silence is counted from now on. */
    void restart(long atNs) {
        for (Host host : all.values()) {
            host.heardNs = atNs;
        }
    }
}
