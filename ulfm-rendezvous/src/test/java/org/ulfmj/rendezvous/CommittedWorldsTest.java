package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.JobOfThree.id;
import static org.ulfmj.rendezvous.JobOfThree.member;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * Shows what the core makes of members' reports of the world in which they went on: which newcomers that world
 * admitted, and which processes it left out.
 */
class CommittedWorldsTest {
    private final JobOfThree job = new JobOfThree(true);

    @Test
    void shouldTakeTheMembersWordForWhomTheyAdmitted() {
        job.makeWorldWithNewcomer();
        job.commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.take()).isEmpty();
        assertThat(job.listener.take()).containsExactly("committed by 0 epoch 1: [0, 1, 2'1]");
        job.commit(1, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.listener.take()).isEmpty();
        job.join(2, 1);
        assertThat(job.take()).as("not yet heard to run").containsExactly("22:Wait 1.1 for [0, 1]");

        job.commit(2, 1, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.take()).as("what members were told before").containsExactly("22:Death 2 (killed)");
        job.says(2, 1, new RendezvousMessage.Join(member(2, 1), 1, 1));
        assertThat(job.take()).containsExactly("22:Final 1.1 of [0, 1, 2'1]", "22:Death 2 (killed)");
        job.end(1, 0);
        assertThat(job.take()).contains("22:Death 1 (killed)", "10:Death 1 (killed)");
    }

    @Test
    void shouldTellWhomTheWorldWentOnWithout() {
        job.makeWorldWithNewcomer();
        job.commit(0, 0, 1, 7, member(0, 0), member(1, 0));
        String gone = "22:Out[reason=GONE_ON, text=the world has gone on without rank 2'1, in epoch 1]";
        assertThat(job.take()).containsExactly(gone);
        assertThat(job.listener.take()).containsExactly("committed by 0 epoch 1: [0, 1]", "left out 2'1");
        job.join(2, 1);
        assertThat(job.take()).containsExactly(gone);
        job.end(2, 1);
        job.core.onRestartAllowed(id(2, 2));
        job.take();
        job.join(2, 2);
        assertThat(job.take())
                .as("its place was given up before it came")
                .containsExactly("32:Out[reason=GONE_ON, text=the world has gone on without rank 2'2, in epoch 1]");
    }

    @Test
    void shouldKeepANewcomerWhosePlaceIsStillThere() {
        job.makeWorldWithNewcomer();
        job.end(1, 0);
        job.restart(1, 1);
        job.forget();
        job.commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.take()).as("1'1 was announced too late for this epoch").isEmpty();
        job.commit(0, 0, 2, 8, member(0, 0), member(1, 1), member(2, 1));
        assertThat(job.listener.take())
                .containsExactly("committed by 0 epoch 1: [0, 1, 2'1]", "committed by 0 epoch 2: [0, 1'1, 2'1]");
    }

    @Test
    void shouldFenceALiveMemberThatTheOthersGoOnWithout() {
        job.makeWorldWithNewcomer();
        job.commit(0, 0, 1, 7, member(0, 0), member(2, 1));
        String gone = "11:Out[reason=FENCED, text=the world has gone on without rank 1]";
        assertThat(job.take()).containsExactly(gone);
        assertThat(job.listener.take()).containsExactly("committed by 0 epoch 1: [0, 2'1]", "excluded 1");
        job.join(1, 0);
        assertThat(job.take()).containsExactly(gone);
        job.says(1, 0, new RendezvousMessage.Suspect(id(0, 0)));
        assertThat(job.take()).as("it has no say").isEmpty();
        assertThat(job.listener.take()).isEmpty();
    }

    @Test
    void shouldNotTurnBackToAnOlderEpochThatIsToldLate() {
        job.makeWorldWithNewcomer();
        job.commit(0, 0, 2, 8, member(0, 0), member(1, 0));
        job.forget();
        job.commit(1, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.listener.take())
                .as("a member of the older epoch that the present one lacks may run")
                .containsExactly("excluded 2'1");
        job.join(0, 0);
        assertThat(job.take()).contains("10:Final 1.2 of [0, 1]");
    }

    @Test
    void shouldExcludeWhoRunsInAnotherWorldOfTheSameEpoch() {
        job.makeWorldWithNewcomer();
        job.commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        job.forget();
        job.commit(1, 0, 1, 9, member(1, 0), member(2, 1));
        assertThat(job.listener.take()).containsExactly("excluded 1");
        assertThat(job.take())
                .containsExactly(
                        "11:Out[reason=FENCED, text=rank 1 is in another world than the first that was heard of]");
    }

    @Test
    void shouldExcludeWhoSpeaksOfAWorldWithStrangers() {
        job.makeWorld();
        job.commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.listener.take()).containsExactly("excluded 0");
    }

    @Test
    void shouldIgnoreAnotherRoundAndAWorldWithoutItsSpeaker() {
        job.makeWorldWithNewcomer();
        job.says(0, 0, new RendezvousMessage.Committed(2, 1, List.of(member(0, 0)), 7));
        job.says(0, 0, new RendezvousMessage.Committed(1, 0, List.of(member(0, 0)), 7));
        job.commit(0, 0, 1, 7, member(1, 0), member(2, 1));
        assertThat(job.take()).isEmpty();
        assertThat(job.listener.take()).isEmpty();
    }
}
