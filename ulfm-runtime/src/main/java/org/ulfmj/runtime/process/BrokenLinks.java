package org.ulfmj.runtime.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Links that the fabric has reported as broken although both ends seem to live. A break is forgotten if the peer is
 * known, within the time-out given to the constructor, to have died or said goodbye, or if the peer is reached again
 * (rule L13). Every other break is returned by {@link #takeDue} once. Under the engine lock.
 */
final class BrokenLinks {
    private final long timeoutNs;
    private final Map<ProcessId, Long> sinceNs = new TreeMap<>();
    /** Processes that have failed or departed: an end may be known here before the break that it causes is told. */
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

    /** Notes that the process is reached again, so that the break of its link is forgotten. */
    void onRestored(ProcessId process) {
        sinceNs.remove(process);
    }

    /** Notes that the process failed or departed: a broken link to it is not reported any more. */
    void onGone(ProcessId process) {
        gone.add(process);
        sinceNs.remove(process);
    }

    /** How many entries are kept: breaks, and slots of which a process is gone. */
    int kept() {
        return sinceNs.size() + gone.kept();
    }

    /** The time at which {@link #takeDue} is to be asked next; {@link Long#MAX_VALUE} means never. */
    long nextDeadlineNs() {
        return nextNs;
    }

    /**
     * Returns the processes whose links were reported as broken the whole time-out ago, or earlier; each break is
     * returned once.
     */
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
