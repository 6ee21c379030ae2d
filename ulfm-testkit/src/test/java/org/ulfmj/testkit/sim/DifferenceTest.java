package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class DifferenceTest {
    private static SimResult result(SimJournal journal) {
        return new SimResult(null, List.of(), null, journal, 0, 0, null, false, false);
    }

    /** Returns a journal that keeps one entry and has counted one more in its digest, as a full journal does. */
    private static SimJournal full(long digestOfTheRest) {
        SimJournal journal = new SimJournal(true);
        journal.note(1, SimJournal.Kind.CALL, 0, 7);
        journal.keep(1, SimJournal.Kind.CALL, ProcessId.of(0), 7, "send", "send");
        journal.note(2, SimJournal.Kind.CALL, 0, digestOfTheRest);
        return journal;
    }

    @Test
    void shouldSayThatADifferenceComesAfterWhatIsKept() {
        assertThat(Difference.between(result(full(1)), result(full(2))))
                .isEqualTo("the first difference comes after the first 1 events, which are all that are kept");
    }

    @Test
    void shouldSayThatTheRunsWereAlike() {
        assertThat(Difference.between(result(full(1)), result(full(1)))).isEqualTo("more runs of it were alike");
    }
}
