package org.ulfmj.check.survivor.scenario;

import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Placement;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The worlds of {@link SurvivorMixScenario}, with ranks on up to four hosts, so that values of agreements travel from
 * leader to leader. In half of the schedules each host holds contiguous ranks, in the others any ranks.
 */
public final class SurvivorHostsScenario extends SurvivorScenario {
    private static final int MOST_HOSTS = 4;

    public SurvivorHostsScenario() {
        super("hosts", 2, SurvivorProgram.Emphasis.ALL);
    }

    @Override
    Membership membership(Simulation simulation, int size) {
        SeededRandom random = simulation.random("hosts");
        int hosts = (int) random.between(2, MOST_HOSTS);
        boolean isContiguous = random.chance(50);
        long[] keys = new long[size];
        for (int slot = 0; slot < size; slot++) {
            keys[slot] = isContiguous ? (long) slot * hosts / size : random.between(1, hosts);
        }
        Membership members = Membership.initial(size);
        return members.on(Placement.of(members.slots(), keys));
    }
}
