package org.ulfmj.check.rendezvous.hosts;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The simulated network between hosts. Each pair of hosts has a path with two directions; a message that is sent while
 * its direction is broken is lost.
 */
final class Links {
    private static final long MOST_DELAY_NS = 2 * HostsJob.MS;

    private final Simulation world;
    private final SeededRandom random;
    private final boolean[][] isCut;
    private final SortedMap<String, Long> arrivals = new TreeMap<>();
    int brokenPaths;

    Links(Simulation world, SeededRandom random, int hosts) {
        this.world = world;
        this.random = random;
        this.isCut = new boolean[hosts][hosts];
    }

    boolean leads(int from, int to) {
        return !isCut[from][to];
    }

    boolean areConnected(int one, int other) {
        return leads(one, other) && leads(other, one);
    }

    void cut(int one, int other, boolean bothWays) {
        if (one != other && areConnected(one, other)) {
            brokenPaths++;
            isCut[one][other] = true;
            isCut[other][one] = bothWays;
        }
    }

    void heal(int one, int other) {
        isCut[one][other] = false;
        isCut[other][one] = false;
    }

    /**
     * Sends a message: its arrival is run after some time, unless the direction is broken now. Messages of one line
     * arrive in the order of sending.
     */
    void send(int from, int to, String line, Runnable arrival) {
        if (!leads(from, to)) {
            return;
        }
        long atNs = Math.max(world.nowNs() + random.between(1, MOST_DELAY_NS), arrivals.getOrDefault(line, 0L) + 1);
        arrivals.put(line, atNs);
        world.at(atNs, arrival);
    }
}
