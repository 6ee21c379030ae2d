package org.ulfmj.check.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.check.mutant.Hunt;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Leaving out one of the rules B2 to B5 of the ring over membership epochs breaks the invariant of that rule. */
class EpochScenarioTest {
    private static final String RING = "org.ulfmj.detector.RingDetector";
    private static final String OBSERVE = "if (!observer.equals(me)) {\n            observers.add";

    static Stream<Arguments> mutants() {
        return Stream.of(
                Arguments.of(Mutant.of("B2 release", RING, "out.send(former, UNOBSERVE);", "// B2"), "released first"),
                Arguments.of(
                        Mutant.of(
                                "B3 unknown",
                                RING,
                                OBSERVE,
                                OBSERVE.replace("(me)", "(me) && membership.contains(observer)")),
                        "who asks is heard"),
                Arguments.of(
                        Mutant.of("B4", RING, "observers.remove(from);", "// B4"), "who takes it back is left alone"),
                Arguments.of(
                        Mutant.of("B5", RING, "membership = next;", "membership = next;\n        observers.clear();"),
                        "an epoch keeps the observers"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void shouldBreakAnInvariantWhenARuleIsLeftOut(Mutant mutant, String invariant) {
        assertThat(Hunt.hunt(new MutantLoader(mutant), "epochs", "2..5", "1..500"))
                .contains(invariant);
    }
}
