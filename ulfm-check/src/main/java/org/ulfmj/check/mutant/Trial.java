package org.ulfmj.check.mutant;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/**
 * A mutant, and where it must be caught.
 *
 * @param mutant a class without one or more of its rules
 * @param where the kind of place in which a violation is looked for
 * @param place name of the scenario, script or small world; or one schedule
 * @param ranks for seeds, how many ranks, such as "2..9"; otherwise empty
 * @param within the most schedules until the mutant is caught; for a world, the most states
 * @param broken texts of which the violation must contain at least one, such as the name of an invariant
 */
public record Trial(Mutant mutant, Where where, String place, String ranks, long within, List<String> broken) {
    /** The ways to look for a violation. */
    public enum Where {
        /** Schedules drawn from the seeds 1, 2, 3 … */
        SEEDS,
        /** One schedule drawn from one seed, which the trial names. */
        SEED,
        /** One schedule that is written down as a script, which the trial names. */
        SCRIPT,
        /** The states that a small world can reach. */
        WORLD
    }

    public Trial {
        if (broken.isEmpty() || broken.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("a trial wants to know what its mutant breaks: of mutant \""
                    + mutant.rule() + "\" it is " + broken);
        }
        broken = List.copyOf(broken);
    }

    /** Returns a trial with schedules from seeds, with 2 to 9 ranks. */
    static Trial seeds(Mutant mutant, String protocol, long within, String... broken) {
        return new Trial(mutant, Where.SEEDS, protocol, "2..9", within, List.of(broken));
    }

    /** @param schedule as {@link org.ulfmj.sim.Schedule#parse} reads it */
    static Trial seed(Mutant mutant, String schedule, String... broken) {
        return new Trial(mutant, Where.SEED, schedule, "", 1, List.of(broken));
    }

    static Trial script(Mutant mutant, String witness, String broken) {
        return new Trial(mutant, Where.SCRIPT, witness, "", 1, List.of(broken));
    }

    static Trial world(Mutant mutant, String world, String broken) {
        return new Trial(mutant, Where.WORLD, world, "", Long.MAX_VALUE, List.of(broken));
    }

    @Override
    public String toString() {
        return mutant + " in " + where.name().toLowerCase(java.util.Locale.ROOT) + " " + place;
    }
}
