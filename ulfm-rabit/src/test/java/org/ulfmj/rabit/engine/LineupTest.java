package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotRuns;

class LineupTest {
    private static final int SLOTS = 14;

    @Test
    void shouldBeAnotherOneForEachSetOfMembers() {
        Set<Long> lineups = new HashSet<>();
        for (int set = 0; set < 1 << SLOTS; set++) {
            lineups.add(SummaryRecord.lineupOf(members(set)));
        }
        assertThat(lineups).hasSize(1 << SLOTS);
    }

    private static SlotRuns members(int set) {
        return SlotRuns.of(
                IntStream.range(0, SLOTS).filter(slot -> (set & 1 << slot) != 0).toArray());
    }
}
