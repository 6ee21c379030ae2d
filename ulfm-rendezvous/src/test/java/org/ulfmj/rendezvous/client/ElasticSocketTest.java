package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;

/** Processes without slots, on sockets. */
class ElasticSocketTest {
    private static final long SECOND = ServedJob.SECOND;
    /** How long some processes of these tests wait for the launcher: long enough for a process to reach it. */
    private static final long PATIENCE = 3 * SECOND / 2;

    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private CompletableFuture<RendezvousClient> joining(int process, long patienceNs) {
        return joining(process, patienceNs, 20 * SECOND);
    }

    private CompletableFuture<RendezvousClient> joining(int process, long patienceNs, long budgetNs) {
        JoinRequest asked = job.request(Members.member(process, 100 + process));
        JoinRequest request = new JoinRequest(
                asked.rendezvous(),
                asked.runId(),
                asked.me(),
                asked.secret(),
                asked.optionsHash(),
                patienceNs,
                budgetNs);
        return job.elsewhere(() -> RendezvousClient.joinWithoutSlot(request, 0, process));
    }

    @Test
    void shouldGiveSlotsToThoseThatJoinAndHaveALaterOneWait() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(2, 3, 60 * SECOND), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        List<CompletableFuture<RendezvousClient>> all =
                List.of(joining(2, 60 * SECOND), joining(1, 60 * SECOND), joining(0, 60 * SECOND));
        for (int i = 0; i < 3; i++) {
            assertThat(job.joined(all.get(i)).me().id()).isEqualTo(ProcessId.of(2 - i));
        }
        RendezvousClient spare = job.joined(joining(3, 60 * SECOND));
        assertThat(spare.isPending()).isTrue();
        assertThat(spare.table()).hasSize(3);
    }

    @Test
    void shouldWaitBeyondItsPatienceUntilTheWorldBegins() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 2, 60 * SECOND), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        CompletableFuture<RendezvousClient> joining = joining(1, PATIENCE);
        job.launcher.await("joined " + Joiner.provisional(0));
        long joinedNs = System.nanoTime();
        while (System.nanoTime() - joinedNs <= PATIENCE) {
            LockSupport.parkNanos(SECOND / 100);
        }
        assertThat(joining).isNotDone();
        job.server.endLastCall();
        assertThat(job.joined(joining).table()).hasSize(1);
    }

    @Test
    void shouldNotWaitForALauncherThatIsLost() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(2, 2, 0), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        CompletableFuture<RendezvousClient> joining = joining(1, PATIENCE, SECOND / 4);
        job.launcher.await("joined " + Joiner.provisional(0));
        job.server.close();
        assertThatThrownBy(() -> job.joined(joining)).hasMessageContaining("no answer from the launcher");
    }

    @Test
    void shouldWaitForEverWhereNoDeadlineIsAlsoWithAClockBelowZero() {
        assertThat(RendezvousClient.waitMs(Long.MAX_VALUE, -5)).isZero();
        assertThat(RendezvousClient.waitMs(-2_000_000, -5_000_000)).isEqualTo(3);
        assertThat(RendezvousClient.waitMs(-9_000_000, -5_000_000)).as("late").isEqualTo(1);
    }

    @Test
    void shouldSayByNonceOfAProcessWhatIsMeantForItWhateverItIsCalledByThen() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(2, 2, 0), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        CompletableFuture<RendezvousClient> later = joining(1, 60 * SECOND);
        job.launcher.await("joined " + Joiner.provisional(0));
        // Slots follow the local index and not the order of joining: the process that joined first gets slot 1.
        RendezvousClient first = job.joined(joining(0, 60 * SECOND));
        assertThat(job.joined(later).me().id()).isEqualTo(ProcessId.of(1));
        job.launcher.await("begun [0/100, 1/101]");
        job.server.about(999, words -> words.ended("no such process"));
        CompletableFuture<String> nameAfterItsEnd = new CompletableFuture<>();
        job.server.about(101, words -> {
            words.ended("killed by signal 9");
            nameAfterItsEnd.complete("name " + words.name());
            words.fence("nothing is said of it any more");
        });
        assertThat(nameAfterItsEnd.get(60, TimeUnit.SECONDS)).isEqualTo("name null");
        job.pollUntil(first, () -> job.news.lines().contains("death 1: killed by signal 9"));
        job.server.about(101, words -> words.ended("told again"));
        job.server.about(100, words -> words.fence("enough"));
        job.pollUntil(first, () -> job.news.lines().contains("fence: enough"));
        assertThat(job.news.lines()).doesNotContain("death 1: told again");
    }

    @Test
    void shouldHearOutAlsoAProcessThatNeverJoined() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 1, 0), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        CompletableFuture<String> done = new CompletableFuture<>();
        job.server.hearOut(999, () -> job.server.about(999, words -> done.complete("name " + words.name())));
        assertThat(done.get(60, TimeUnit.SECONDS)).isEqualTo("name null");
    }

    @Test
    void shouldRefuseTheLaunchersWordsAboutNames() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 1, 0), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        ProcessId process = ProcessId.of(0);
        List<ThrowableAssert.ThrowingCallable> words = List.of(
                () -> job.server.ended(process, "killed"),
                () -> job.server.departed(process),
                () -> job.server.fence(process, "enough"),
                () -> job.server.signal(process, "USR1"),
                () -> job.server.askWaits(process, 1),
                () -> job.server.looked(process, 'T', false),
                () -> job.server.hearOut(process, () -> {}));
        for (ThrowableAssert.ThrowingCallable word : words) {
            assertThatThrownBy(word)
                    .hasMessage("process 0 of a world that gives names itself: say it by nonce, with about");
        }
    }

    @Test
    void shouldRefuseTheLaunchersWordsAboutSlots() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 1, 0), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        String why = "slot 0 of a world that gives slots itself: the launcher starts no process for a slot";
        assertThatThrownBy(() -> job.server.allowRestart(ProcessId.of(0))).hasMessage(why);
        assertThatThrownBy(() -> job.server.assign(0, ProcessId.of(0))).hasMessage(why);
        assertThatThrownBy(() -> job.server.noMore(0, "not started")).hasMessage(why);
        assertThat(job.joined(joining(3, 60 * SECOND)).table())
                .as("the server goes on")
                .hasSize(1);
    }

    @Test
    void shouldCloseTheRendezvousAndEndTheLastCallWhenTheLauncherSaysSo() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 4, 60 * SECOND), ServedJob.OPTIONS, 90 * SECOND, 30 * SECOND));
        CompletableFuture<RendezvousClient> first = joining(0, 60 * SECOND);
        job.launcher.await("joined " + Joiner.provisional(0));
        job.server.endLastCall();
        RendezvousClient client = job.joined(first);
        assertThat(client.table()).hasSize(1);
        job.server.closeRendezvous("enough");
        job.pollUntil(client, () -> job.news.lines().contains("closed: enough"));
        assertThatThrownBy(() -> job.joined(joining(1, 60 * SECOND))).hasMessageContaining("enough");
    }
}
