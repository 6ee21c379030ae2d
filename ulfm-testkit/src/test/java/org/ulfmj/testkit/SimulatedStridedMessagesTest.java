package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests messages and allgathers with datatypes that have gaps, in simulated time: without faults, with ranks that die
 * at random calls or between random frames, and with a rank that is suspected wrongly.
 */
class SimulatedStridedMessagesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 12);
    private static final long FIRST = Long.getLong("sim.first", 1);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "3 | kill:rank=any(1)@op=*",
                "4 | crash:rank=any(1)@frame=random(300)",
                "3 | vanish:rank=any(1)@op=*",
                "4 | crash:rank=any(2)@frame=random(200)",
                "4 | suspect:rank=any(1)@t=random"
            })
    void shouldLeaveGapsAloneWhateverBecomesOfAReceive(int ranks, String faults) {
        assertThat(StridedMessagesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults))
                .isEmpty();
    }
}
