package org.ulfmj.launch;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.RankProcess;

/**
 * Ends the early binding of processes: each of them may use all cores some seconds after its start. Used by the
 * launcher's main thread.
 */
final class EarlyBinding {
    private static final long LENGTH_NS = 4_000_000_000L;
    /**
     * How long after the release of a process another follows: threads that were started during the first one may have
     * the core of a thread that was not released yet.
     */
    private static final long AGAIN_NS = 1_000_000_000;

    private record Release(RankProcess process, long dueNs) {}

    private final Binding binding;
    private final Queue<Release> releases = new PriorityQueue<>(Comparator.comparingLong(Release::dueNs));

    EarlyBinding(Binding binding) {
        this.binding = binding;
    }

    /** A process has been started with the binding. */
    void started(RankProcess process, long nowNs) {
        if (binding.isEarly()) {
            releases.add(new Release(process, nowNs + LENGTH_NS));
            releases.add(new Release(process, nowNs + LENGTH_NS + AGAIN_NS));
        }
    }

    /** When {@link #tick} has something to do; {@link Long#MAX_VALUE} if it has nothing to do. */
    long deadlineNs() {
        return releases.isEmpty() ? Long.MAX_VALUE : releases.element().dueNs();
    }

    /** Releases the processes whose time has come. */
    void tick(long nowNs) {
        while (!releases.isEmpty() && releases.element().dueNs() <= nowNs) {
            RankProcess process = releases.remove().process();
            if (!process.hasEnded()) {
                binding.release(process.pid());
            }
        }
    }
}
