package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.JobOfThree.ENDED;
import static org.ulfmj.rendezvous.JobOfThree.MS;
import static org.ulfmj.rendezvous.JobOfThree.id;

import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/** Tests of processes that end, and are started again, before the first world is complete. */
class RestartsBeforeTheWorldTest {
    private final JobOfThree job = new JobOfThree(true);

    @Test
    void shouldWaitForTheNextProcessWhenOneEndsBeforeTheWorldIsComplete() {
        job.joinAll();
        job.confirm(0, 1);
        job.forget();
        job.end(1, 0);
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(job.take()).containsExactly("11:Out[reason=FENCED, text=" + ENDED + "1 has ended]");
        job.confirm(2, 1);
        job.restart(1, 1);
        assertThat(job.take())
                .containsExactly("10:Table 2 of [0, 1'1, 2]", "21:Table 2 of [0, 1'1, 2]", "12:Table 2 of [0, 1'1, 2]");
        job.confirm(0, 1);
        job.confirm(2, 2);
        job.says(1, 1, new RendezvousMessage.Confirm(2));
        assertThat(job.core.phase())
                .as("a confirmation of round 1 is none of round 2")
                .isEqualTo(RendezvousCore.Phase.FROZEN);
        job.confirm(0, 2);
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
    }

    @Test
    void shouldKeepWhoComesTooEarlyUntilTheOlderProcessHasEnded() {
        job.joinAll();
        job.core.onRestartAllowed(id(1, 1));
        job.take();
        job.join(1, 1);
        assertThat(job.take()).containsExactly("21:Wait 1.0 for []");
        job.end(1, 0);
        assertThat(job.take()).contains("21:Table 2 of [0, 1'1, 2]");
    }

    @Test
    void shouldCloseWhenNoProcessComesForASlotThatIsNeeded() {
        job.join(0, 0);
        job.core.onEnded(id(1, 0), "exit code 3", 0, job.out);
        assertThat(job.take()).as("it may be started again").isEmpty();
        job.core.onNoMore(1, "2 of 2 restarts are used up", 0, job.out);
        assertThat(job.take())
                .containsExactly("10:Out[reason=CLOSED, text=rank 1 ended before MPI.Init (exit code 3), and it is not"
                        + " started again: 2 of 2 restarts are used up]");
    }

    @Test
    void shouldGoOnWithoutWhoDoesNotConfirmWhenItMayBeStartedAgain() {
        job.joinAll();
        job.confirm(0, 1);
        job.confirm(2, 1);
        job.take();
        job.core.onTick(10_000 * MS, job.out);
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        String text = "11:Out[reason=NO_CONFIRM, text=within 10000 ms (ulfm.rdzv.confirm) the table of addresses was"
                + " not confirmed by rank 1]";
        assertThat(job.take()).containsExactly(text);
        job.join(1, 0);
        assertThat(job.take()).as("it is never taken back").containsExactly(text);
        job.end(1, 0);
        job.restart(1, 1);
        assertThat(job.take()).contains("21:Table 2 of [0, 1'1, 2]");
    }
}
