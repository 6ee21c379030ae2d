package org.ulfmj.testkit;

import java.util.function.LongFunction;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimWorld;

/** Plays a story, which is the main of all ranks made for one seed, in simulated time. */
final class Stories {
    private Stories() {}

    /** Runs seeds of a story that survivors finish; returns what was wrong with the first that failed, or nothing. */
    static String run(long first, long last, int ranks, String faults, LongFunction<RankMain> stories) {
        return run(SimWorld.of(ranks), first, last, faults, stories);
    }

    /** The same in a world that is described so far. */
    static String run(SimWorld world, long first, long last, String faults, LongFunction<RankMain> stories) {
        if (!faults.isEmpty()) {
            world.faults(faults);
        }
        Seeds seeds = world.runSeeds(first, last, 1, stories, result -> {
            result.ends().requireSurvivorsSucceeded();
            if (result.hang().isPresent()) {
                throw new AssertionError(result.hang().get());
            }
        });
        if (seeds.failures().isEmpty()) {
            return "";
        }
        Seeds.Failure failure = seeds.failures().get(0);
        return "seed " + failure.seed() + ": " + failure.thrown();
    }
}
