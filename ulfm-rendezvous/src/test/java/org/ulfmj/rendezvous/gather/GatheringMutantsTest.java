package org.ulfmj.rendezvous.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Shows by many seeds that only one round runs at a time and that each gathering ends, and by mutants that each of the
 * listed rules is needed.
 */
class GatheringMutantsTest {
    private static final Long SEEDS = Long.getLong("sim.seeds", 400);
    private static final String PARTICIPANT = "org.ulfmj.rendezvous.gather.Participant";
    private static final String GATHERING = "org.ulfmj.rendezvous.gather.Gathering";

    @Test
    void shouldRunOneRoundAtATimeAndGatherAllThatLive() {
        assertThat(GatheringStory.run(1L, SEEDS)).isEmpty();
    }

    static List<Mutant> mutants() {
        return List.of(
                Mutant.of(
                        "a member past its lease runs no longer",
                        PARTICIPANT,
                        "isOver |= isRunning && !holds(nowNs);\n        return",
                        "return"),
                Mutant.of(
                        "others wait for two leases",
                        PARTICIPANT,
                        "sentNs - sight.sinceNs() > 2 * leaseNs",
                        "sentNs - sight.sinceNs() > leaseNs / 2"),
                Mutant.of(
                        "a process that was out of touch renews before it runs",
                        PARTICIPANT,
                        "hasWritten && writtenNs - unbrokenNs >= 0",
                        "true"),
                Mutant.of(
                        "a round begins when all of the one before have left",
                        GATHERING,
                        "boolean isRunning = places.stream().anyMatch(",
                        "boolean isRunning = places.stream().filter(place -> place.status() != Status.WAITING).allMatch("),
                Mutant.of(
                        "a round is final when all have confirmed",
                        GATHERING,
                        "boolean isOpen = next.places.stream().anyMatch(place -> place.status() == Status.CANDIDATE);",
                        "boolean isOpen = false;"),
                Mutant.of(
                        "a member that is gone opens a frozen round again",
                        GATHERING,
                        "return phase == Phase.FROZEN && gone.status() != Status.WAITING",
                        "return phase == null"),
                Mutant.of(
                        "a last call ends",
                        PARTICIPANT,
                        "lastCallLeftNs(state, nowNs) <= 0",
                        "lastCallLeftNs(state, nowNs) < Long.MIN_VALUE + 1"),
                Mutant.of(
                        "a state from before the round does not end a member",
                        PARTICIPANT,
                        "isRunning && state.round() >= round && !state.has(nonce)",
                        "isRunning && !state.has(nonce)"),
                Mutant.of("a round has at most so many", GATHERING, "next.size() < terms.max()", "next.size() >= 0"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("mutants")
    void shouldGoWrongWithoutARule(Mutant mutant) {
        String wrong = (String) new MutantLoader(mutant).call(GatheringStory.class.getName(), "run", 1L, SEEDS);

        assertThat(wrong).as(mutant.rule()).isNotEmpty();
    }
}
