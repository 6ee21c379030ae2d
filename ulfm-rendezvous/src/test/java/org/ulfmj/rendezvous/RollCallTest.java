package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.JobOfThree.MS;
import static org.ulfmj.rendezvous.JobOfThree.id;
import static org.ulfmj.rendezvous.JobOfThree.member;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * Tests the roll call: when all members of a world are gone, newcomers are asked whether they were let into it before a
 * new world is gathered.
 */
class RollCallTest {
    private final JobOfThree job = new JobOfThree(true);

    @Test
    void shouldCallTheRollAndGatherAnewWhenAllMembersHaveDied() {
        job.makeWorldWithNewcomer();
        job.end(0, 0);
        job.end(1, 0);
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.ROLLCALL);
        assertThat(job.take()).contains("22:Recall[round=1, call=1]");
        job.join(2, 1);
        assertThat(job.take()).containsExactly("22:Recall[round=1, call=1]");
        job.restart(0, 1);
        assertThat(job.take()).as("who comes in a roll call is told nothing").isEmpty();
        job.says(2, 1, new RendezvousMessage.StillWaiting(9));
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.ROLLCALL);
        job.listener.take();
        job.says(2, 1, new RendezvousMessage.StillWaiting(1));
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(job.listener.take()).containsExactly("world gone", "joined 0'1", "joined 2'1");

        job.restart(1, 1);
        assertThat(job.take())
                .containsExactly(
                        "20:Table 2 of [0'1, 1'1, 2'1]",
                        "21:Table 2 of [0'1, 1'1, 2'1]",
                        "22:Table 2 of [0'1, 1'1, 2'1]");
        job.confirmAll(2, 1);
        assertThat(job.take()).contains("21:Final 2.0 of [0'1, 1'1, 2'1]");
        assertThat(job.listener.take()).containsExactly("joined 1'1", "final");
    }

    /** A process that was told to end must not be gathered: the new world would begin with a member that ends. */
    @Test
    void shouldNotGatherAProcessThatIsToEnd() {
        job.makeWorldWithNewcomer();
        job.core.onFence(id(2, 1), "for a test", job.out);
        job.end(0, 0);
        job.end(1, 0);
        job.listener.take();
        job.says(2, 1, new RendezvousMessage.StillWaiting(1));
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(job.take()).contains("22:Out[reason=FENCED, text=for a test]");
        assertThat(job.listener.take()).contains("world gone").doesNotContain("joined 2'1");
    }

    @Test
    void shouldNotCountAProcessThatSigkillDoesNotEndAsOneThatRuns() {
        JobOfThree judged = new JobOfThree(true, 1_000 * MS);
        judged.makeWorldWithNewcomer();
        judged.end(1, 0);
        for (long nowMs = 0; nowMs <= 1_700; nowMs += 50) {
            judged.core.onLooked(id(0, 0), 'D', true, nowMs * MS, judged.out);
            judged.core.onTick(nowMs * MS, judged.out);
        }
        assertThat(judged.core.phase()).isEqualTo(RendezvousCore.Phase.ROLLCALL);
        assertThat(judged.take()).contains("22:Recall[round=1, call=1]");
    }

    @Test
    void shouldStayInTheWorldWhenANewcomerAnswersThatItRuns() {
        job.makeWorldWithNewcomer();
        job.end(0, 0);
        job.end(1, 0);
        job.restart(0, 1);
        job.forget();
        job.commit(2, 1, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        assertThat(job.take())
                .containsExactly(
                        "22:Death 2 (killed)",
                        "22:Death 0 (killed)",
                        "22:Death 1 (killed)",
                        "20:Wait 1.1 for [0, 1, 2'1]",
                        "22:Pending 0'1");
    }

    @Test
    void shouldCallAgainByAnotherNumberWhenTheWorldIsGoneAgain() {
        job.makeWorldWithNewcomer();
        job.end(1, 0);
        job.restart(1, 1);
        job.end(0, 0);
        assertThat(job.take()).contains("21:Recall[round=1, call=1]", "22:Recall[round=1, call=1]");
        job.commit(2, 1, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        job.end(2, 1);
        assertThat(job.take()).contains("21:Recall[round=1, call=2]");
        job.says(1, 1, new RendezvousMessage.StillWaiting(1));
        assertThat(job.core.phase())
                .as("it may have been admitted after its answer")
                .isEqualTo(RendezvousCore.Phase.ROLLCALL);
    }

    @Test
    void shouldNotLeaveTheWorldWhileAnExcludedProcessMayRun() {
        job.makeWorldWithNewcomer();
        job.commit(0, 0, 1, 7, member(0, 0), member(2, 1));
        job.end(0, 0);
        job.end(2, 1);
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        job.listener.take();
        job.end(1, 0);
        assertThat(job.listener.take()).containsExactly("world gone");
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
    }

    @Test
    void shouldTellWhoCameInARollCallThatItTookTooLong() {
        job.makeWorldWithNewcomer();
        job.end(0, 0);
        job.end(1, 0);
        job.restart(0, 1);
        job.forget();
        assertThat(job.core.nextDeadlineNs()).isEqualTo(600_000 * MS);
        job.core.onTick(600_000 * MS, job.out);
        assertThat(job.take())
                .containsExactly("20:Out[reason=TIMEOUT, text=waited 600000 ms (ulfm.rdzv.join) for others to say"
                        + " whether they run: state ROLLCALL]");
        assertThat(job.core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldSendNewcomersAndSparesAwayWhenTheWorldHasFinalized() {
        job.makeWorldWithNewcomer();
        job.spare(90, 1);
        job.end(1, 0);
        job.forget();
        job.says(0, 0, new RendezvousMessage.Goodbye(SlotSet.of(1, 2)));
        assertThat(job.take()).containsExactly("10:GoodbyeHeard[]", "22:Recall[round=1, call=1]");
        job.says(2, 1, new RendezvousMessage.StillWaiting(1));
        String over = "Out[reason=CLOSED, text=all processes of the world have finalized, or died]";
        assertThat(job.take()).containsExactly("22:" + over, "90:" + over);
        assertThat(job.listener.take()).containsExactly("goodbye 0 {1,2}", "left out 2'1");
        job.restart(1, 1);
        assertThat(job.take()).containsExactly("21:" + over);
        job.join(0, 0);
        assertThat(job.take()).contains("10:GoodbyeHeard[]");
    }
}
