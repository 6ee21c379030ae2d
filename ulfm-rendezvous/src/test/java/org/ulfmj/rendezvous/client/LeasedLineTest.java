package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.lease.LeaseTimes;

/** Tests the connection of a process with a lease, over real sockets: a slow start, and paths that fall silent. */
class LeasedLineTest {
    private final ServedJob job = new ServedJob();
    /** By how much the process's clock is ahead, as if the process had stood still for that time. */
    private long stoodStillNs;

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private void serve(long leaseNs) throws Exception {
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND)
                .withSilence(leaseNs / 2)
                .withLease(leaseNs));
    }

    private List<String> fences() {
        return job.news.lines().stream()
                .filter(line -> line.startsWith("fence"))
                .toList();
    }

    /** With {@code majority}: a process whose lease has run out goes on, without a launcher. */
    @Test
    void shouldLoseALauncherThatDoesNotAnswerWhereALeaseDoesNotBind() throws Exception {
        long leaseNs = 20 * SECOND;
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND)
                .withSilence(SECOND)
                .withMajority(true));
        LeaseTimes times = new LeaseTimes(leaseNs, leaseNs / 10, leaseNs / 4, false);
        RendezvousClient client = job.joined(job.joining(job.leased(0, job.address(), times)));
        stoodStillNs += 2 * leaseNs;
        assertThat(client.fenceIfLeaseIsOver(nowNs(), job.news)).isFalse();
        assertThat(job.news.lines()).as("it has not begun yet").isEmpty();
        client.poll(nowNs(), job.news);
        stopServer();
        stoodStillNs += 2 * leaseNs;
        client.poll(nowNs(), job.news);
        assertThat(fences()).isEmpty();
        assertThat(job.news.lines())
                .singleElement()
                .asString()
                .contains("has not answered for 20000 ms (ulfm.rdzv.lease)");
        assertThat(client.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        client.poll(nowNs(), job.news);
        assertThat(job.news.lines()).hasSize(1);
    }

    /**
     * V15: a process may begin to act even later than its lease allows, once the launcher answers that it may; from
     * then on its lease binds it.
     */
    @Test
    void shouldLetAProcessBeginLaterThanItsLease() throws Exception {
        long leaseNs = 20 * SECOND;
        serve(leaseNs);
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 10)));
        for (int times = 1; times <= 2; times++) {
            stoodStillNs += 2 * leaseNs;
            assertThat(client.fenceIfLeaseIsOver(nowNs(), job.news)).isFalse();
        }
        client.poll(nowNs(), job.news);
        stoodStillNs += 2 * leaseNs;
        assertThat(client.fenceIfLeaseIsOver(nowNs(), job.news))
                .as("it has begun")
                .isTrue();
        assertThat(fences()).singleElement().asString().contains("(ulfm.rdzv.lease)");
        assertThat(client.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldFenceAProcessThatWasSlowerThanItsLeaseAndIsNotToldThatItMayBegin() throws Exception {
        long leaseNs = SECOND;
        serve(leaseNs);
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 10)));
        stopServer();
        stoodStillNs += 2 * leaseNs;
        assertThat(client.fenceIfLeaseIsOver(nowNs(), job.news)).isTrue();
        assertThat(fences()).singleElement().asString().contains("(ulfm.rdzv.lease)");
    }

    @Test
    void shouldEndTheJoinOfAProcessThatIsToldToEnd() throws Exception {
        long leaseNs = 40 * SECOND;
        job.serve(new RunSpec("job-1", 2, OPTIONS, 60 * SECOND, 30 * SECOND)
                .withSilence(leaseNs / 2)
                .withLease(leaseNs));
        CompletableFuture<RendezvousClient> joining = job.joining(job.leased(0, leaseNs, leaseNs / 10));
        job.launcher.await("joined 0");
        job.server.fence(ProcessId.of(0), "for a test");
        assertThatThrownBy(() -> joining.get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(RendezvousException.class)
                .hasRootCauseMessage("for a test");
    }

    /** The launcher answers no keep-alive of a process that it has told to end. */
    @Test
    void shouldNotHoldAProcessBackThatIsToldToEnd() throws Exception {
        long leaseNs = 40 * SECOND;
        serve(leaseNs);
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 10)));
        job.server.fence(ProcessId.of(0), "for a test");
        stopServer();
        stoodStillNs += 2 * leaseNs;
        Thread.currentThread().interrupt();
        assertThat(client.fenceIfLeaseIsOver(nowNs(), job.news)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(fences()).containsExactly("fence: for a test");
    }

    /**
     * Lets the server act on earlier calls, and then lets its thread do nothing for 300 s. Returns once the server has
     * acted on these calls.
     */
    private void stopServer() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        job.server.hearOut(ProcessId.of(0), stopped::countDown);
        job.server.pause(300 * SECOND);
        assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private long nowNs() {
        return System.nanoTime() + stoodStillNs;
    }

    /**
     * A network that is silent for a while loses the messages on their way; the process then dials a second connection,
     * and uses the one that answers first.
     */
    @Test
    void shouldDialBesideAConnectionThatBringsNoAnswersAndUseTheOneThatAnswersFirst() throws Exception {
        long leaseNs = 40 * SECOND;
        serve(leaseNs);
        try (SilentPath path = new SilentPath(job.address())) {
            RendezvousClient client = job.joined(
                    job.joining(job.leased(0, path.address(), new LeaseTimes(leaseNs, SECOND / 10, SECOND / 2))));
            job.pollUntil(client, () -> path.connections() > 0);
            int silenced = path.silence();
            job.pollUntil(client, () -> path.connections() > silenced);
            // The next one is not silent.
            client.reached(7);
            job.pollUntil(client, path::isFirstClosed);
            job.pollUntil(client, () -> job.launcher.hasHeard("reached 0 rule 7"));
        }
        assertThat(fences()).isEmpty();
    }
}
