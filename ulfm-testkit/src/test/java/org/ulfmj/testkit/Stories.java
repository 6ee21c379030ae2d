package org.ulfmj.testkit;

import java.util.function.LongFunction;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimWorld;

/** Plays stories in simulated time. A story is a program for all ranks that is made for one seed. */
final class Stories {
    private Stories() {}

    /**
     * Runs a story, which all survivors must finish, for the seeds from {@code first} to {@code last}, and stops soon
     * after ten have failed; returns what went wrong with the lowest seed that failed, or an empty text.
     */
    static String run(long first, long last, int ranks, String faults, LongFunction<RankMain> stories) {
        return run(SimWorld.of(ranks), first, last, faults, stories);
    }

    /**
     * Runs the seeds of a story in a world that the caller has configured, and stops soon after ten have failed;
     * returns what went wrong with the lowest seed that failed, or an empty text.
     */
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
