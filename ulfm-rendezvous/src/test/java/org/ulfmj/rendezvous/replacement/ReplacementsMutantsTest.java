package org.ulfmj.rendezvous.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Shows in many random jobs that the rules hold by which a dead rank is replaced, and by mutants that each of the
 * listed rules is needed.
 */
class ReplacementsMutantsTest {
    private static final Long SEEDS = Long.getLong("sim.seeds", 2_000);
    private static final String REPLACEMENTS = "org.ulfmj.rendezvous.replacement.Replacements";
    private static final String BUDGET = "org.ulfmj.rendezvous.replacement.RestartBudget";

    @Test
    void shouldFillOrRefuseEachPlaceOnceAndInTime() {
        assertThat(ReplacementsStory.run(1L, SEEDS)).isEmpty();
    }

    static List<Mutant> mutants() {
        return List.of(
                Mutant.of(
                        "a place is announced before it is filled",
                        REPLACEMENTS,
                        "effects.announce(next);\n        if (!counts)",
                        "if (!counts)"),
                Mutant.of(
                        "a spare counts for no restart",
                        REPLACEMENTS,
                        "promised.add(next);",
                        "promised.add(next); if (!budget.isUsedUp(next.slot())) { budget.take(next.slot(), nowNs); }"),
                Mutant.of(
                        "only a spare that is ready takes a place",
                        REPLACEMENTS,
                        "if (spare.getValue() && !promised",
                        "if (!promised"),
                Mutant.of("a spare takes one place", REPLACEMENTS, "idle.remove(spare.getKey());", ""),
                Mutant.of(
                        "a spare that becomes ready takes the place it is awaited in",
                        REPLACEMENTS,
                        "if (idle.replace(number, true) != null) {\n            keepPromises();",
                        "if (idle.replace(number, true) != null) {"),
                Mutant.of(
                        "a spare that dies breaks a promise if too few are left",
                        REPLACEMENTS,
                        "if (idle.remove(number) != null && promised.size() > idle.size()) {",
                        "if (idle.remove(number) != null && promised.size() < 0) {"),
                Mutant.of(
                        "a broken promise is kept by a start",
                        REPLACEMENTS,
                        "restart(promised.removeLast(), nowNs);",
                        "promised.removeLast();"),
                Mutant.of(
                        "a start instead of a spare counts",
                        REPLACEMENTS,
                        "if (budget.isUsedUp(next.slot())) {\n            refuse(next.slot());\n        } else {",
                        "if (budget.isUsedUp(next.slot())) {\n            scheduled.put(next, nowNs);\n        } else {"),
                Mutant.of(
                        "who was promised a place is refused when the job ends",
                        REPLACEMENTS,
                        "for (ProcessId place : promised) {\n            slots.add(place.slot());",
                        "for (ProcessId place : promised) {"),
                Mutant.of("nobody is started when the job ends", REPLACEMENTS, "scheduled.clear();", ""),
                Mutant.of("a place is filled once", REPLACEMENTS, "scheduled.remove(place.getKey());", ""),
                Mutant.of("starts are counted", BUDGET, "return used[slot] >= most;", "return used[slot] > most;"),
                Mutant.of(
                        "a rank that dies at once is not started at once",
                        BUDGET,
                        "Math.max(nowNs, lastStartNs[slot] + gapNs(used[slot]))",
                        "nowNs"),
                Mutant.of("gaps double", BUDGET, "FIRST_GAP_MS << doublings,", "FIRST_GAP_MS,"),
                Mutant.of(
                        "gaps end",
                        BUDGET,
                        "Math.min(FIRST_GAP_MS << doublings, MOST_GAP_MS)",
                        "(FIRST_GAP_MS << doublings)"),
                Mutant.of("gaps count from the last start", BUDGET, "lastStartNs[slot] = atNs;", ""));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("mutants")
    void shouldGoWrongWithoutARule(Mutant mutant) {
        String wrong = (String) new MutantLoader(mutant).call(ReplacementsStory.class.getName(), "run", 1L, SEEDS);

        assertThat(wrong).as(mutant.rule()).isNotEmpty();
    }
}
