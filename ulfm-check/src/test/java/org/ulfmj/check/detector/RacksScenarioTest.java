package org.ulfmj.check.detector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.check.mutant.Hunt;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

class RacksScenarioTest {
    private static final String RING = "org.ulfmj.detector.RingDetector";

    @Test
    void shouldFindTheDeadTooLateWhenPredecessorsAreNotProbed() throws InterruptedException {
        Mutant noProbes = Mutant.of("6a", RING, "if (afterFailure) { // rule 6a", "if (false) { // rule 6a");
        assertThat(Hunt.hunt(new MutantLoader(noProbes), "racks", "2..16", "1..100"))
                .contains("neighbours are found together");
        assertThat(Hunt.huntHere("racks", "2..16", "1..100")).isEmpty();
    }

    @Test
    void shouldSuspectTheLivingWhenProbesAreNotAnswered() {
        Mutant noAnswer = Mutant.of("6a answer", RING, "out.send(asker, HEARTBEAT); // rule 6a", "// rule 6a");
        assertThat(Hunt.hunt(new MutantLoader(noAnswer), "racks", "2..16", "1..100"))
                .contains("no process is suspected without cause");
    }
}
