package org.ulfmj.check.survivor.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Outcome;
import org.ulfmj.sim.Schedule;

/** Kills each rank after each of its messages in Finalize, rather than after those that chance happens to draw. */
class FinalizeBoundariesTest {
    private static final int VARIANTS = 15;

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 4, 5})
    void shouldEndAtEveryRankWhicheverDiesAfterWhicheverMessage(int ranks) {
        FinalizeDeathsScenario scenario = new FinalizeDeathsScenario();
        SortedSet<String> died = new TreeSet<>();
        for (long seed = 0; seed < (long) ranks * FinalizeDeathsScenario.BOUNDARIES * VARIANTS; seed++) {
            Outcome outcome = new Schedule(scenario, ranks, seed).run(EventLog.hashing());
            assertThat(outcome.violation()).as("seed %d", seed).isNull();
            if (outcome.covered().contains(FinalizeDeathsScenario.DIED)) {
                died.add(FinalizeDeathsScenario.victim(seed, ranks) + " after "
                        + FinalizeDeathsScenario.boundary(seed, ranks));
            }
        }
        for (int rank = 0; rank < ranks; rank++) {
            for (int sends = 0; sends <= ranks; sends++) {
                assertThat(died).contains(rank + " after " + sends);
            }
            assertThat(died)
                    .as("a boundary beyond the last message")
                    .doesNotContain(rank + " after " + (FinalizeDeathsScenario.BOUNDARIES - 1));
        }
    }
}
