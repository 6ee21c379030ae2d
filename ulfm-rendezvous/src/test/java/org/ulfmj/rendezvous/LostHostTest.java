package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * J4 and V15 in the core: rank 2, in one test also rank 1, is on a host that falls silent. The timeout is 1,000 ms, a
 * lease 2,000 ms (some tests have no leases).
 */
class LostHostTest {
    private static final long MS = JobOfThree.MS;
    private static final String SILENT = "is on host 1, which was silent for 1500 ms";

    private final JobOfThree job;

    LostHostTest() {
        job = new JobOfThree(true, 1_000 * MS, 2_000 * MS);
        job.core.onPlaced(JobOfThree.id(2, 0), 1);
        job.makeWorld();
    }

    private void pass(long fromMs, long untilMs) {
        for (long atMs = fromMs; atMs <= untilMs; atMs += 50) {
            job.core.onTick(atMs * MS, job.out);
        }
    }

    @Test
    void shouldHoldAProcessForFailedWithItsHostAndForDeadWithItsLease() {
        job.says(2, 0, new RendezvousMessage.KeepAlive(5));
        assertThat(job.take()).containsExactly("12:Kept[number=5]");
        pass(50, 1_500);
        String silenced = ":Silenced[process=2, reason=its process " + SILENT + "]";
        assertThat(job.take())
                .contains("10" + silenced, "11" + silenced, "12:Fence[reason=its process " + SILENT + "]")
                .noneMatch(line -> line.contains("Death"));
        assertThat(job.listener.take()).containsExactly("lost [2] with host 1: " + SILENT);
        job.core.onMessage(12L, new RendezvousMessage.KeepAlive(6), 1_510 * MS, job.out);
        assertThat(job.take()).as("its lease must not begin anew").isEmpty();
        pass(1_550, 2_350);
        assertThat(job.take()).noneMatch(line -> line.contains("Death"));
        pass(2_400, 2_400);
        String over = "its process " + SILENT + ", and its lease (ulfm.rdzv.lease) is over";
        assertThat(job.take()).contains("10:Death 2 (" + over + ")", "11:Death 2 (" + over + ")");
        assertThat(job.listener.take()).contains("lease over 2: " + over);
        job.restart(2, 1);
        assertThat(job.take()).contains("10:Pending 2'1");
    }

    @Test
    void shouldTellTheMembersThatANewcomerIsLostWithItsHost() {
        job.core.onEnded(JobOfThree.id(2, 0), "killed by signal 9", 10 * MS, job.out);
        job.core.onPlaced(JobOfThree.id(2, 1), 2);
        job.restart(2, 1);
        job.forget();
        pass(50, 1_550);
        assertThat(job.take())
                .contains("10:Silenced[process=2'1, reason=its process is on host 2, which was silent for 1500 ms]");
    }

    @Test
    void shouldHaveItsAgentEndALostProcessAndTakeThatForItsEnd() {
        pass(50, 700);
        for (long nonce = 10; nonce < 12; nonce++) {
            job.core.onMessage(nonce, new RendezvousMessage.KeepAlive(1), 700 * MS, job.out);
        }
        pass(750, 1_500);
        job.forget();
        job.core.onAgentLost(1, 1_510 * MS, job.out);
        job.core.onAgentHeard(1, 1_700 * MS, job.out);
        pass(1_750, 1_750);
        assertThat(job.listener.take()).containsExactly("silent 2: " + SILENT);
        job.core.onEnded(JobOfThree.id(2, 0), "killed by signal 9", 1_760 * MS, job.out);
        assertThat(job.take()).contains("10:Death 2 (killed by signal 9)");
        job.core.onAgentHeard(1, 2_900 * MS, job.out);
        pass(2_900, 2_900);
        assertThat(job.listener.take()).as("no lease is left").noneMatch(line -> line.contains("lease"));
    }

    @Test
    void shouldHaveAProcessEndedThatIsStoppedPastItsLease() {
        job.says(2, 0, new RendezvousMessage.KeepAlive(5));
        pass(50, 2_400);
        assertThat(job.listener.take()).anyMatch(line -> line.startsWith("lease over 2: "));
        job.core.onAgentHeard(1, 2_900 * MS, job.out);
        pass(2_950, 2_950);
        assertThat(job.listener.take()).contains("silent 2: " + SILENT);
        job.forget();
        job.core.onProven(JobOfThree.id(2, 0), 3_000 * MS, job.out);
        pass(3_050, 6_000);
        assertThat(job.take()).as("its death was told").noneMatch(line -> line.contains("Death 2"));
        assertThat(job.listener.take()).noneMatch(line -> line.startsWith("silent 2"));
    }

    @Test
    void shouldNotEndALostProcessWithoutProofInAJobWithoutLeases() {
        JobOfThree majority = new JobOfThree(true, 1_000 * MS);
        majority.core.onPlaced(JobOfThree.id(2, 0), 1);
        majority.makeWorld();
        majority.says(2, 0, new RendezvousMessage.KeepAlive(5));
        assertThat(majority.take()).as("no lease is granted").isEmpty();
        for (long atMs = 50; atMs <= 60_000; atMs += 50) {
            majority.core.onTick(atMs * MS, majority.out);
        }
        assertThat(majority.take()).noneMatch(line -> line.contains("Death"));
        assertThat(majority.listener.take()).contains("lost [2] with host 1: " + SILENT);
    }

    /** The launcher reaches rank 0 alone: the two other ranks are the majority, and may be the side that goes on. */
    @Test
    void shouldHoldNoProcessForFailedWhereTooFewAreLeft() {
        JobOfThree majority = new JobOfThree(true, 1_000 * MS, 0, true);
        majority.core.onPlaced(JobOfThree.id(1, 0), 1);
        majority.core.onPlaced(JobOfThree.id(2, 0), 1);
        majority.makeWorld();
        for (long atMs = 50; atMs <= 1_550; atMs += 50) {
            majority.core.onTick(atMs * MS, majority.out);
        }
        assertThat(majority.listener.take()).contains("reaches 1 of 3").noneMatch(line -> line.startsWith("lost"));
        majority.core.onAgentHeard(1, 1_600 * MS, majority.out);
        majority.core.onTick(1_650 * MS, majority.out);
        assertThat(majority.take()).noneMatch(line -> line.contains("Silenced") || line.contains("Fence"));
    }

    /**
     * Ranks 0 and 1 have said goodbye, so Finalize was decided with a majority, and no other side can go on: the silent
     * rank 2 is lost without asking for a majority.
     */
    @Test
    void shouldNotCountOnceAMemberHasSaidGoodbye() {
        JobOfThree majority = new JobOfThree(true, 1_000 * MS, 0, true);
        majority.core.onPlaced(JobOfThree.id(2, 0), 1);
        majority.makeWorld();
        majority.says(0, 0, new RendezvousMessage.Goodbye(SlotSet.of()));
        majority.says(1, 0, new RendezvousMessage.Goodbye(SlotSet.of()));
        for (long atMs = 50; atMs <= 1_550; atMs += 50) {
            majority.core.onTick(atMs * MS, majority.out);
        }
        assertThat(majority.listener.take())
                .contains("lost [2] with host 1: " + SILENT)
                .noneMatch(line -> line.startsWith("reaches"));
    }

    @Test
    void shouldAnswerProcessesThatMayGoOnWithoutTheLauncher() {
        JobOfThree majority = new JobOfThree(true, 1_000 * MS, 0, true);
        majority.core.onPlaced(JobOfThree.id(2, 0), 1);
        majority.makeWorld();
        majority.says(2, 0, new RendezvousMessage.KeepAlive(5));
        assertThat(majority.take()).containsExactly("12:Kept[number=5]");
        for (long atMs = 50; atMs <= 1_550; atMs += 50) {
            majority.core.onTick(atMs * MS, majority.out);
        }
        assertThat(majority.listener.take()).as("two of three are left").contains("lost [2] with host 1: " + SILENT);
        majority.forget();
        majority.says(2, 0, new RendezvousMessage.KeepAlive(6));
        assertThat(majority.take()).as("it is lost").isEmpty();
    }

    @Test
    void shouldRefuseALeaseThatEndsBeforeASilenceIsJudged() {
        assertThatThrownBy(() -> new JobOfThree(true, 1_000, 1_000))
                .hasMessage("ulfm.fd.timeout (1000 ns) must be below ulfm.rdzv.lease (1000 ns)");
    }
}
