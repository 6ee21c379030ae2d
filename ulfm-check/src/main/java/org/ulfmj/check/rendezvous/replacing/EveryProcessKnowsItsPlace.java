package org.ulfmj.check.rendezvous.replacing;

import java.util.Map;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.sim.Invariant;
import org.ulfmj.transport.MemberRecord;

/**
 * At rest every live process runs in the world that the launcher knows, with all news of it, or waits for a world that
 * runs and has a place for the process. A spare that was given no place yet may wait for one, unless the job is over.
 * If the launcher has ended, no process lives.
 */
record EveryProcessKnowsItsPlace(JobLauncher launcher, Map<Integer, Worker> byNode, SurvivingWorkers survivors)
        implements Invariant {
    @Override
    public String open() {
        boolean doesAnyRun = false;
        for (Worker worker : byNode.values()) {
            doesAnyRun |= worker.isRunning();
        }
        for (Worker worker : byNode.values()) {
            String open = worker.process().isRunning() ? openOf(worker, doesAnyRun) : null;
            if (open != null) {
                return worker.process() + " " + open;
            }
        }
        return null;
    }

    private String openOf(Worker worker, boolean doesAnyRun) {
        if (!launcher.process().isRunning()) {
            return "was not told that the launcher is gone";
        }
        if (worker.isRunning()) {
            return openOfMember(worker);
        }
        if (worker.isPending()) {
            return doesAnyRun ? openOfNewcomer(worker) : "waits for a world in which no process runs";
        }
        if (worker.id() == null) {
            if (launcher.hasAssigned(worker.spareNumber())) {
                return "does not know its place";
            }
            return survivors.isFinalizing() && !doesAnyRun ? "is a spare of a job that is over" : null;
        }
        return "neither runs nor waits nor was told why not";
    }

    private String openOfNewcomer(Worker worker) {
        if (!launcher.isWanted(worker.id())) {
            return "waits as " + worker.id() + " for a place that is not there";
        }
        for (Worker other : byNode.values()) {
            if (other != worker && other.isPending() && !worker.pending().containsKey(other.id())) {
                return "was not told that " + other.process() + " waits too";
            }
        }
        return null;
    }

    private String openOfMember(Worker worker) {
        if (launcher.phase() != RendezvousCore.Phase.FINAL) {
            return "runs, but the launcher is in phase " + launcher.phase();
        }
        if (worker.epoch() != launcher.epoch() || !worker.table().equals(launcher.table())) {
            return "runs in epoch " + worker.epoch() + " with " + worker.table() + ", the launcher thinks in epoch "
                    + launcher.epoch() + " with " + launcher.table();
        }
        for (MemberRecord member : worker.table()) {
            Worker other = byNode.get((int) member.nonce());
            if (!other.process().isRunning() && !worker.knowsEndOf(member.id())) {
                return "was not told of the end of " + member.id();
            }
        }
        for (Worker other : byNode.values()) {
            if (other.isPending() && !worker.pending().containsKey(other.id())) {
                return "was not told that " + other.process() + " waits as " + other.id();
            }
        }
        for (int slot : launcher.noMore()) {
            if (!worker.knowsNoMore(slot)) {
                return "was not told that no process comes for slot " + slot;
            }
        }
        return null;
    }
}
