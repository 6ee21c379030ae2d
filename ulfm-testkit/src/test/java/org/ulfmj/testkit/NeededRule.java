package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** A rule of the runtime that is needed: under these faults, some seed of a story goes wrong without it. */
public record NeededRule(Mutant mutant, String faults) {
    public static Stream<NeededRule> under(String faults, Mutant... mutants) {
        return Arrays.stream(mutants).map(mutant -> new NeededRule(mutant, faults));
    }

    /**
     * Runs a story in the mutant's world until a seed goes wrong, in worlds of each number of ranks. Fails if none
     * does.
     *
     * @param story class with {@code run(first, last, ranks, faults)}, which returns what went wrong @param seeds how
     *     many seeds are tried, {@code atOnce} of them per call
     */
    public void assertMissed(String story, long seeds, int atOnce, Integer... ranks) {
        MutantLoader world = new MutantLoader(mutant);
        String wrong = "";
        for (Integer size : ranks) {
            for (long seed = 1; seed <= seeds && wrong.isEmpty(); seed += atOnce) {
                wrong = (String) world.call(story, "run", seed, seed + atOnce - 1, size, faults);
            }
        }
        System.out.println(
                "without \"" + this + "\": " + wrong.lines().findFirst().orElse("nothing"));
        assertThat(wrong).isNotEmpty();
    }

    @Override
    public String toString() {
        return mutant.says();
    }
}
