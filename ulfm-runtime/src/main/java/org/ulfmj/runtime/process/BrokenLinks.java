package org.ulfmj.runtime.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Connections that broke although both ends seem to live. A break that death or goodbye explains within the detector's
 * timeout is forgotten, and so is one that a new connection has mended (rule L13); every other break is reported once,
 * since one of two processes that cannot reach each other must end. Under the engine lock.
 */
final class BrokenLinks {
    private final long timeoutNs;
    private final Map<ProcessId, Long> sinceNs = new TreeMap<>();
    /** Processes that are gone for good: an end may be known before the break that it causes is told. */
    private final GoneProcesses gone = new GoneProcesses();

    private long nextNs = Long.MAX_VALUE;

    BrokenLinks(long timeoutNs) {
        this.timeoutNs = timeoutNs;
    }

    void onBroken(ProcessId process, long nowNs) {
        if (gone.contains(process)) {
            return;
        }
        if (sinceNs.putIfAbsent(process, nowNs) == null && nextNs == Long.MAX_VALUE) {
            nextNs = nowNs + timeoutNs;
        }
    }

    /** Notes that there is a connection to the process again. */
    void onRestored(ProcessId process) {
        sinceNs.remove(process);
    }

    /** Notes that the process failed or departed, which explains everything. */
    void onGone(ProcessId process) {
        gone.add(process);
        sinceNs.remove(process);
    }

    /** How many processes are remembered, dead ones too. */
    int kept() {
        return sinceNs.size() + gone.kept();
    }

    /** When {@link #takeDue} is to be asked next; {@link Long#MAX_VALUE} is never. */
    long nextDeadlineNs() {
        return nextNs;
    }

    /** Returns the processes whose connection has been broken for the time-out; each process is returned once. */
    List<ProcessId> takeDue(long nowNs) {
        if (nextNs == Long.MAX_VALUE || nowNs - nextNs < 0) {
            return List.of();
        }
        List<ProcessId> due = new ArrayList<>();
        nextNs = Long.MAX_VALUE;
        for (Map.Entry<ProcessId, Long> entry : sinceNs.entrySet()) {
            long dueNs = entry.getValue() + timeoutNs;
            if (nowNs - dueNs >= 0) {
                due.add(entry.getKey());
            } else if (nextNs == Long.MAX_VALUE || dueNs - nextNs < 0) {
                nextNs = dueNs;
            }
        }
        due.forEach(sinceNs::remove);
        return due;
    }
}
