package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.JobOfThree.ENDED;
import static org.ulfmj.rendezvous.JobOfThree.id;
import static org.ulfmj.rendezvous.JobOfThree.member;

import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.transport.MemberRecord;

/** Tests of the replacements of a dead process: how they wait, and what the core tells the members about them. */
class NewcomersTest {
    private final JobOfThree job = new JobOfThree(true);

    @Test
    void shouldTellANewcomerOfTheWorldAndTheMembersOfIt() {
        job.makeWorld();
        job.end(2, 0);
        job.take();
        job.restart(2, 1);
        assertThat(job.take()).containsExactly("22:Wait 1.0 for [0, 1, 2]", "10:Pending 2'1", "11:Pending 2'1");
        assertThat(job.listener.take()).containsExactly("pending 2'1");
        job.join(2, 1);
        assertThat(job.take()).containsExactly("22:Wait 1.0 for [0, 1, 2]");
        job.join(1, 0);
        assertThat(job.take()).containsExactly("11:Final 1.0 of [0, 1, 2]", "11:Death 2 (killed)", "11:Pending 2'1");
        assertThat(job.listener.take()).isEmpty();
    }

    @Test
    void shouldRefuseIncarnationsThatTheLauncherHasNotStartedOrThatAreOver() {
        job.makeWorld();
        job.end(2, 0);
        job.take();
        job.join(2, 1);
        assertThat(job.take())
                .containsExactly(
                        "22:Out[reason=FENCED, text=process 4002 cannot join as 2'1: mpiexec has not started it]");
        job.core.onRestartAllowed(id(2, 2));
        job.says(2, 1, new RendezvousMessage.Join(member(2, 1), 0, 0));
        assertThat(job.take())
                .as("the same reason for ever")
                .hasSize(1)
                .allMatch(line -> line.contains("has not started"));
        MemberRecord late = Members.member(id(2, 1), 77, 99);
        job.join(late, 0);
        assertThat(job.take())
                .containsExactly("77:Out[reason=FENCED, text=process 99 cannot join as 2'1: 2'2 has been started in"
                        + " its place]");
        job.end(2, 2);
        job.join(2, 2);
        assertThat(job.take())
                .containsExactly("32:Out[reason=FENCED, text=process 4002 cannot join as 2'2: what was started as it"
                        + " has ended]");
    }

    @Test
    void shouldNotOfferANewcomerBeforeTheOlderProcessHasEnded() {
        job.makeWorld();
        job.restart(2, 1);
        assertThat(job.take()).containsExactly("22:Wait 1.0 for [0, 1, 2]");
        job.end(2, 0);
        assertThat(job.take())
                .containsExactly(
                        "10:Death 2 (killed)",
                        "11:Death 2 (killed)",
                        "12:Fence[reason=" + ENDED + "2 has ended]",
                        "10:Pending 2'1",
                        "11:Pending 2'1");
    }

    @Test
    void shouldTellOfTheDeathOfANewcomerAndOfferTheNext() {
        job.makeWorldWithNewcomer();
        job.end(2, 1);
        assertThat(job.take())
                .containsExactly(
                        "10:Death 2'1 (killed)",
                        "11:Death 2'1 (killed)",
                        "22:Out[reason=FENCED, text=" + ENDED + "2'1 has ended]");
        job.restart(2, 2);
        assertThat(job.take()).containsExactly("32:Wait 1.0 for [0, 1, 2]", "10:Pending 2'2", "11:Pending 2'2");
    }

    @Test
    void shouldTellNewcomersOfEachOther() {
        job.makeWorldWithNewcomer();
        job.end(1, 0);
        job.core.onRestartAllowed(id(1, 1));
        job.take();
        job.join(1, 1);
        assertThat(job.take())
                .containsExactly("21:Wait 1.0 for [0, 1, 2]", "10:Pending 1'1", "22:Pending 1'1", "21:Pending 2'1");
        job.join(2, 1);
        assertThat(job.take()).containsExactly("22:Wait 1.0 for [0, 1, 2]", "22:Pending 1'1");
    }

    @Test
    void shouldTellAllThatNoProcessComesAndEachThatJoinsAgain() {
        job.makeWorld();
        job.end(2, 0);
        job.take();
        job.core.onNoMore(2, "used up", 0, job.out);
        job.core.onNoMore(2, "used up", 0, job.out);
        assertThat(job.take()).containsExactly("10:NoMore[slot=2, why=used up]", "11:NoMore[slot=2, why=used up]");
        job.join(0, 0);
        assertThat(job.take())
                .containsExactly("10:Final 1.0 of [0, 1, 2]", "10:Death 2 (killed)", "10:NoMore[slot=2, why=used up]");
    }

    @Test
    void shouldTellAllThatNoProcessComesForASlotThatWasGivenUpWhileTheWorldGathered() {
        job.joinAll();
        job.core.onNoMore(2, "used up", 0, job.out);
        job.take();
        job.confirmAll(1, 0);
        assertThat(job.take())
                .filteredOn(line -> line.contains("NoMore"))
                .containsExactly(
                        "10:NoMore[slot=2, why=used up]",
                        "11:NoMore[slot=2, why=used up]",
                        "12:NoMore[slot=2, why=used up]");
    }

    @Test
    void shouldHearAndAskLaterIncarnationsByTheirName() {
        job.makeWorldWithNewcomer();
        job.core.onAskWaits(id(2, 1), 5, job.out);
        job.core.onAskWaits(id(2, 0), 6, job.out);
        assertThat(job.take()).containsExactly("22:AskWaits[request=5]");
        job.core.onSignal(id(2, 1), "USR1", job.out);
        job.core.onSignal(id(2, 0), "USR2", job.out);
        assertThat(job.take()).containsExactly("22:Signal[number=1, name=USR1]");
        job.says(2, 1, new RendezvousMessage.Reached(3));
        job.says(2, 1, new RendezvousMessage.Abort(9, "why"));
        assertThat(job.listener.take()).containsExactly("reached 2'1 rule 3", "abort by 2'1 9: why");
        job.core.onFence(id(2, 0), "too late", job.out);
        job.core.onFence(id(2, 1), "for a test", job.out);
        assertThat(job.take()).containsExactly("22:Fence[reason=for a test]");
    }

    /** A connection may be replaced at any time, and messages that were on their way on it are lost. */
    @Test
    void shouldTellSignalsAndOpenQuestionsAgainOnTheNextConnection() {
        job.makeWorld();
        job.core.onSignal(id(1, 0), "USR1", job.out);
        job.core.onSignal(id(1, 0), "TERM", job.out);
        job.core.onAskWaits(id(1, 0), 5, job.out);
        job.core.onAskWaits(id(1, 0), 6, job.out);
        job.forget();
        job.join(1, 0);
        String first = "11:Signal[number=1, name=USR1]";
        String second = "11:Signal[number=2, name=TERM]";
        assertThat(job.take()).containsSubsequence(first, second, "11:AskWaits[request=6]");
        job.says(1, 0, new RendezvousMessage.Waits(5, new byte[0]));
        job.says(1, 0, new RendezvousMessage.Waits(6, new byte[0]));
        job.join(1, 0);
        assertThat(job.take()).endsWith(first, second);
        for (int more = 0; more < 20; more++) {
            job.core.onSignal(id(1, 0), "USR2", job.out);
        }
        job.forget();
        job.join(1, 0);
        assertThat(job.take())
                .as("the last ones only")
                .contains("11:Signal[number=7, name=USR2]", "11:Signal[number=22, name=USR2]")
                .noneMatch(line -> line.contains("number=6,"));
    }

    /** The newcomer was let in by members; the launcher does not know that yet, and the newcomer may never be told. */
    @Test
    void shouldAskANewcomerOfWhichAMemberComplains() {
        JobOfThree judged = new JobOfThree(true, 1_000 * JobOfThree.MS);
        judged.makeWorldWithNewcomer();
        judged.core.onTick(100 * JobOfThree.MS, judged.out);
        judged.forget();
        judged.core.onMessage(10L, new RendezvousMessage.Suspect(id(2, 1)), 200 * JobOfThree.MS, judged.out);
        judged.core.onTick(300 * JobOfThree.MS, judged.out);
        assertThat(judged.take()).containsExactly("22:AreYouThere[question=1, complainers=[0]]");
    }

    @Test
    void shouldNotAskAProcessThatIsToEndForAComplaint() {
        JobOfThree judged = new JobOfThree(true, 1_000 * JobOfThree.MS);
        judged.makeWorldWithNewcomer();
        judged.commit(0, 0, 1, 7, member(0, 0), member(2, 1));
        judged.forget();
        judged.core.onMessage(10L, new RendezvousMessage.Suspect(id(1, 0)), 200 * JobOfThree.MS, judged.out);
        judged.core.onTick(300 * JobOfThree.MS, judged.out);
        assertThat(judged.take()).isEmpty();
    }
}
