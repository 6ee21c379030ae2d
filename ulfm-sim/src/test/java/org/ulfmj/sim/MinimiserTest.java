package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Makes a failing schedule smaller. Its protocol does not forward what it hears, and so can break when a sender dies
 * between two messages.
 */
class MinimiserTest {
    private static final FloodScenario BROKEN = new FloodScenario(false);

    @Test
    void shouldKeepTheFailureAndNoItemThatItDoesNotNeedWhenMadeSmaller() {
        Schedule failing = firstFailureOf(9);
        Violation violation = Minimiser.violationOf(failing);
        Minimiser minimiser = new Minimiser(violation.kind());

        Schedule smallest = minimiser.minimise(failing);

        assertThat(Minimiser.violationOf(smallest).kind()).isEqualTo(violation.kind());
        assertThat(smallest.ranks()).isEqualTo(3); // one dies, one has heard it, one has not
        int items = smallest.run(EventLog.hashing()).items();
        for (int item = 1; item <= items; item++) {
            if (!smallest.edits().without().contains(item)) {
                assertThat(Minimiser.violationOf(smallest.with(smallest.edits().and(item))))
                        .as("without item %d of %s", item, smallest.againCommand())
                        .isNull();
            }
        }
        assertThat(smallest.edits().without()).hasSizeLessThan(items);
    }

    @Test
    void shouldPrintALineThatNamesWhatIsLeftOutWhenMadeSmaller() {
        Schedule smallest =
                new Minimiser(Minimiser.violationOf(firstFailureOf(9)).kind()).minimise(firstFailureOf(9));
        assertThat(smallest.againCommand())
                .startsWith("bin/ulfm-sim re-run --protocol flood --ranks 3 --seed ")
                .endsWith(smallest.edits().without().isEmpty() ? "" : " --without " + smallest.edits());
    }

    private static Schedule firstFailureOf(int ranks) {
        for (long seed = 1; seed < 2_000; seed++) {
            Schedule schedule = new Schedule(BROKEN, ranks, seed);
            if (Minimiser.violationOf(schedule) != null) {
                return schedule;
            }
        }
        throw new AssertionError("no seed fails");
    }
}
