package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * A mutant, which is the runtime with one rule left out, and the faults under which some seed of a story must fail with
 * it: this shows that the rule is needed.
 */
public record NeededRule(Mutant mutant, String faults) {
    public static Stream<NeededRule> under(String faults, Mutant... mutants) {
        return Arrays.stream(mutants).map(mutant -> new NeededRule(mutant, faults));
    }

    /**
     * Runs seeds of a story with the mutant, in worlds of each of these sizes, until one of them fails. Throws an
     * AssertionError if no seed fails.
     *
     * @param story name of the class with {@code run(first, last, ranks, faults)}, which returns what went wrong
     * @param seeds how many seeds are tried per size, {@code atOnce} of them per call of {@code run}
     * @param ranks the sizes of the worlds
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
