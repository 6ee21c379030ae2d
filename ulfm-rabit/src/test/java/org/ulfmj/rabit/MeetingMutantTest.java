package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Rule "Meeting" of docs/use/rabit.md: if one rank makes a checkpoint where another one makes an operation, all ranks
 * get an error, and no rank waits for ever. Without the rule some simulated job goes wrong.
 */
class MeetingMutantTest {
    @Test
    void shouldTellAllWhoIsInAnotherCall() {
        assertThat(MeetingStory.run(1L, 100L)).isEmpty();
    }

    @Test
    @Tag("long")
    void shouldLeaveARankUntoldWithoutTheMeeting() {
        Mutant mutant = Mutant.of(
                "all ranks meet in a described barrier before a commit",
                "org.ulfmj.rabit.Recovery",
                "session.epoch().barrier(replica.description(intent, local != null));",
                "");

        String wrong = (String) new MutantLoader(mutant).call(MeetingStory.class.getName(), "run", 1L, 100L);

        assertThat(wrong).isNotEmpty();
    }
}
