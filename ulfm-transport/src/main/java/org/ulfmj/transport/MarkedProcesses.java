package org.ulfmj.transport;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The processes that a rank has marked failed, or that later processes of their slots have replaced; also such
 * processes that the rank never talked to. In each slot all processes up to one incarnation are marked, because a slot
 * gets a new process only after the earlier one has ended. A mark is never removed. Under the engine lock.
 */
public final class MarkedProcesses {
    private final Map<Integer, Integer> upToIncarnation = new TreeMap<>();

    /** Marks the process and all earlier processes of its slot. */
    public void add(ProcessId process) {
        if (!cover(process)) {
            upToIncarnation.put(process.slot(), process.incarnation());
        }
    }

    /** Marks all earlier processes of the slot of this process. */
    public void addBefore(ProcessId process) {
        if (process.incarnation() > 0) {
            add(new ProcessId(process.slot(), process.incarnation() - 1));
        }
    }

    /** Whether the process is marked. */
    public boolean cover(ProcessId process) {
        Integer last = upToIncarnation.get(process.slot());
        return last != null && process.incarnation() <= last;
    }
}
