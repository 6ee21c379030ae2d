package org.ulfmj.check.rendezvous.elected;

import java.util.List;
import java.util.Map;
import org.ulfmj.check.rendezvous.elastic.Gathering;
import org.ulfmj.rendezvous.RendezvousCore;

/**
 * How far the processes of a job whose world grows have been gathered, according to the candidate that has the office.
 */
record Offices(Etcd etcd, List<GrowingCoordinator> candidates, Map<Integer, Newcomer> newcomers) implements Gathering {
    /** The candidate that has the office; null if no candidate has it. */
    GrowingCoordinator holder() {
        for (GrowingCoordinator candidate : candidates) {
            if (candidate.isInOffice()) {
                return candidate;
            }
        }
        return null;
    }

    boolean isLauncherLeft() {
        return candidates.get(0).process().isRunning();
    }

    /**
     * Whether a candidate lives, and either the launcher lives or a state is stored. Without a stored state no
     * candidate but the launcher begins a job.
     */
    @Override
    public boolean isThere() {
        boolean isAnyLeft =
                candidates.stream().anyMatch(candidate -> candidate.process().isRunning());
        return isAnyLeft && (etcd.hasState() || isLauncherLeft());
    }

    @Override
    public RendezvousCore.Phase phase() {
        Coordinator holder = holder();
        return holder == null ? null : holder.phase();
    }

    @Override
    public boolean isClosed() {
        return candidates.get(0).isClosed() || newcomers.values().stream().anyMatch(Newcomer::hasFinalized);
    }
}
