package org.ulfmj.check.rendezvous.silence;

import java.util.Set;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The faults of {@link SilenceScenario} in a job whose members have just let a newcomer in. To the judge the newcomer
 * counts as waiting until it reports that it runs or a member complains of it; it may never be told that it was let in.
 */
public final class NewcomerSilenceScenario implements Scenario {
    private static final long MOST_NS = 6 * SilentJob.TIMEOUT_NS;

    @Override
    public String name() {
        return "silence-newcomer";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of("ended by its state", "ended for a path", "ended mute", "never welcome", "welcome");
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random("silence-newcomer");
        SilentJob job = new SilentJob(world, random);
        MuteRank newcomer = job.rank(random.below(world.ranks()));
        newcomer.isWelcome = false;
        if (random.chance(50)) {
            world.cover("welcome");
            world.at(random.between(0, MOST_NS), () -> newcomer.input(() -> newcomer.welcome(world.nowNs())));
        } else {
            world.cover("never welcome");
        }
        SilenceScenario.build(world, random, job);
    }
}
