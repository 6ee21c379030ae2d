package org.ulfmj.sim.replace;

import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * False suspicions of whoever is in a slot at that time, newcomers too, and often of each other: those of the fault plan
 * are about the first processes.
 */
record LaterSuspicions(ReplaceWorld world) {
    private static final int MOST = 3;

    /** Whether there are any. */
    boolean plan() {
        Simulation simulation = world.simulation();
        SeededRandom random = simulation.random("later suspicions");
        int count = world.size() < 2 || random.chance(75) ? 0 : 1 + random.below(MOST);
        boolean planned = false;
        for (int left = count; left > 0; left--) {
            int by = random.below(world.size());
            int about = (by + 1 + random.below(world.size() - 1)) % world.size();
            boolean isMutual = random.chance(40);
            long atNs = random.between(0, 2 * world.pace().faultWindowNs());
            long answerNs = random.between(0, 2 * world.pace().unitNs());
            if (simulation.plans("suspicion of whoever is in slot " + about + " by whoever is in slot " + by
                    + (isMutual ? ", and the other way round" : ""))) {
                planned = true;
                simulation.faultAt(atNs, () -> suspect(by, about));
                if (isMutual) {
                    simulation.faultAt(atNs + answerNs, () -> suspect(about, by));
                }
            }
        }
        return planned;
    }

    private void suspect(int by, int about) {
        ReplaceRank one = inSlot(by);
        ReplaceRank other = inSlot(about);
        if (one != null && other != null && !one.isPending() && one.membership().contains(other.id())) {
            one.suspect(other.id());
        }
    }

    /** The last process in a slot that runs and is in a world, or waits; null if none runs. */
    private ReplaceRank inSlot(int slot) {
        ReplaceRank last = null;
        for (ReplaceRank rank : world.all()) {
            if (rank.id().slot() == slot && rank.isRunning()) {
                last = rank;
            }
        }
        return last;
    }
}
