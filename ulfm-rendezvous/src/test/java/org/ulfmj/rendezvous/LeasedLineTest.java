package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.ServedJob.SECOND;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.lease.LeaseTimes;

/** The line of a process with a lease, over real sockets: its slow start, and paths that fall silent. */
class LeasedLineTest {
    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private void serve(long leaseNs) throws Exception {
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND, false, leaseNs / 2, leaseNs));
    }

    private List<String> fences() {
        return job.news.lines().stream()
                .filter(line -> line.startsWith("fence"))
                .toList();
    }

    /** V15: a process may begin as late as it likes, once the launcher says so; then its lease binds it. */
    @Test
    void shouldLetAProcessBeginLaterThanItsLeaseUntilItHasAnsweredTheLauncher() throws Exception {
        long leaseNs = SECOND;
        serve(leaseNs);
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 10)));
        standStill(3 * leaseNs / 2);
        assertThat(client.fenceIfLeaseIsOver(System.nanoTime(), job.news)).isFalse();
        long aliveUntilNs = System.nanoTime() + leaseNs;
        job.pollUntil(client, () -> System.nanoTime() - aliveUntilNs > 0);
        assertThat(fences()).isEmpty();
        standStill(3 * leaseNs / 2);
        assertThat(client.fenceIfLeaseIsOver(System.nanoTime(), job.news)).isFalse();
        client.here(1);
        standStill(3 * leaseNs / 2);
        assertThat(client.fenceIfLeaseIsOver(System.nanoTime(), job.news))
                .as("it has begun")
                .isTrue();
        assertThat(fences()).hasSize(1);
    }

    @Test
    void shouldFenceAProcessThatWasSlowerThanItsLeaseAndIsNotToldThatItMayBegin() throws Exception {
        long leaseNs = SECOND;
        serve(leaseNs);
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 10)));
        job.server.pause(30 * leaseNs);
        standStill(3 * leaseNs / 2);
        assertThat(client.fenceIfLeaseIsOver(System.nanoTime(), job.news)).isTrue();
        assertThat(fences()).hasSize(1);
    }

    private static void standStill(long forNs) {
        long untilNs = System.nanoTime() + forNs;
        while (System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(forNs);
        }
    }

    /** A network that is silent for a while loses what is under way; another connection is used soon after. */
    @Test
    void shouldDialBesideAConnectionThatBringsNoAnswersAndUseTheOneThatAnswersFirst() throws Exception {
        long leaseNs = 40 * SECOND;
        serve(leaseNs);
        try (SilentPath path = new SilentPath(job.address())) {
            RendezvousClient client = job.joined(
                    job.joining(job.leased(0, path.address(), new LeaseTimes(leaseNs, SECOND / 10, SECOND / 2))));
            job.pollUntil(client, () -> path.connections() == 1);
            path.silence();
            job.pollUntil(client, () -> path.connections() == 2);
            // The second one is not silent.
            client.reached(7);
            job.pollUntil(client, path::isFirstClosed);
            job.launcher.await("reached 0 rule 7");
        }
        assertThat(fences()).isEmpty();
    }
}
