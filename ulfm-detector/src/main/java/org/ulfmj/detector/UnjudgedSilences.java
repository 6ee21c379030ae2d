package org.ulfmj.detector;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * The silences that no launcher judges, at a rank of a job in which a majority may go on without the launcher
 * ({@code ulfm.ft.quorum=majority}). As long as the launcher answers, the launcher judges silences (J1 to J5). Once the
 * launcher is lost, perhaps because its host was cut off, this rank itself marks processes failed that stay silent.
 * That may cost both ends of a path that broke alone. Agreements, which need a majority, keep two sides of a split from
 * both going on.
 *
 * <p>A silent process is due half a timeout after {@link #silent}, and not before a timeout after the loss of the
 * launcher: news of what the launcher has decided before may be on its way. Pure; the caller looks only after it has
 * read all that has arrived.
 */
public final class UnjudgedSilences {
    private final long timeoutNs;
    private final SortedMap<ProcessId, Long> sinceNs = new TreeMap<>();

    private boolean isLauncherLost;
    private long lostNs;

    /** @param timeoutNs the failure detector's */
    public UnjudgedSilences(long timeoutNs) {
        this.timeoutNs = timeoutNs;
    }

    /** Nothing was heard of a process for the detector's timeout, or the link to it is lost. */
    public void silent(ProcessId process, long nowNs) {
        sinceNs.putIfAbsent(process, nowNs);
    }

    /** The silence of a process has ended: it is heard again, or is marked failed, or has departed. */
    public void drop(ProcessId process) {
        sinceNs.remove(process);
    }

    /** The launcher is lost for good. Only the first call counts. */
    public void launcherLost(long nowNs) {
        if (!isLauncherLost) {
            isLauncherLost = true;
            lostNs = nowNs;
        }
    }

    /** When {@link #takeDue} is to be called; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        long nextNs = Long.MAX_VALUE;
        if (isLauncherLost) {
            for (long since : sinceNs.values()) {
                nextNs = Math.min(nextNs, dueNs(since));
            }
        }
        return nextNs;
    }

    private long dueNs(long since) {
        return Math.max(since + timeoutNs / 2, lostNs + timeoutNs);
    }

    /** Returns the processes that are to be marked failed on suspicion, and forgets them. */
    public List<ProcessId> takeDue(long nowNs) {
        List<ProcessId> due = new ArrayList<>();
        if (isLauncherLost) {
            sinceNs.forEach((process, since) -> {
                if (nowNs - dueNs(since) >= 0) {
                    due.add(process);
                }
            });
            due.forEach(sinceNs::remove);
        }
        return due;
    }
}
