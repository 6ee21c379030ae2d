package org.ulfmj.transport;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The processes that a rank has marked failed, also those it never talked to: of each slot all up to one incarnation,
 * for a slot is given on only after its process has ended. They are never taken back. Under the engine lock.
 */
public final class MarkedProcesses {
    private final Map<Integer, Integer> upToIncarnation = new TreeMap<>();

    /** The process and all that had its slot before are over. */
    public void add(ProcessId process) {
        if (!cover(process)) {
            upToIncarnation.put(process.slot(), process.incarnation());
        }
    }

    /** All that had the slot before this process are over. */
    public void addBefore(ProcessId process) {
        if (process.incarnation() > 0) {
            add(new ProcessId(process.slot(), process.incarnation() - 1));
        }
    }

    /** Whether the process is over. */
    public boolean cover(ProcessId process) {
        Integer last = upToIncarnation.get(process.slot());
        return last != null && process.incarnation() <= last;
    }
}
