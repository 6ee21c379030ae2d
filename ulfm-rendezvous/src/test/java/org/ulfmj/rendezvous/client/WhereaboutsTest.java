package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.record.Protection;

/** Tests the client of a job whose coordinator may change, over real sockets. */
class WhereaboutsTest {
    private final ServedJob job = new ServedJob();
    private final Told told = new Told();

    /** The coordinator's address and the end of the job, as the test sets them. */
    private static final class Told implements Whereabouts {
        private final AtomicInteger asked = new AtomicInteger();
        private volatile InetSocketAddress address;
        private boolean isOver;

        @Override
        public InetSocketAddress now() {
            asked.incrementAndGet();
            return address;
        }

        @Override
        public boolean isOver() {
            return isOver;
        }
    }

    /** The last coordinator may have ended before it could answer a process that joins late. */
    @Test
    void shouldWaitForNoCoordinatorOfAJobThatIsOver() {
        told.isOver = true;
        assertThatThrownBy(() -> RendezvousClient.join(request(new InetSocketAddress("127.0.0.1", 1), SECOND)))
                .isInstanceOf(RendezvousException.class)
                .hasMessage("the job is over: its coordinator has deleted what was kept of it")
                .matches(refusal -> ((RendezvousException) refusal).reason() == OutReason.CLOSED);
    }

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private void serve() throws Exception {
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND));
    }

    private JoinRequest request(InetSocketAddress launcher, long budgetNs) {
        MemberRecord me = Members.member(0, 100);
        return new JoinRequest(
                launcher, "job-1", me, job.secret, OPTIONS, 60 * SECOND, budgetNs, null, Protection.AUTO, told);
    }

    @Test
    void shouldFindTheCoordinatorThatHasTakenTheOfficeBeforeItJoins() throws Exception {
        // The port is bound, so that no other process can listen there, and not listened on, so that a connection is
        // refused.
        try (Socket former = new Socket()) {
            former.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            serve();
            told.address = job.address();
            job.joined(job.joining(request((InetSocketAddress) former.getLocalSocketAddress(), SECOND)));
            job.launcher.await("final");
        }
    }

    @Test
    void shouldLeaveAFormerCoordinatorThatKeepsItsConnections() throws Exception {
        serve();
        RendezvousClient client = job.joined(job.joining(request(job.address(), SECOND)));
        job.launcher.await("final");
        serve();
        told.address = job.address();
        job.pollUntil(client, this::hasJoined);
    }

    private boolean hasJoined() {
        return job.launcher.hasHeard("joined 0");
    }

    @Test
    void shouldLookForAnotherCoordinatorAndLoseNoneHoweverLongThatTakes() throws Exception {
        serve();
        long budgetNs = SECOND / 10;
        RendezvousClient client = job.joined(job.joining(request(job.address(), budgetNs)));
        job.launcher.await("final");
        job.server.close();
        long untilNs = System.nanoTime() + 10 * budgetNs;
        job.pollUntil(client, () -> System.nanoTime() - untilNs > 0 && told.asked.get() > 2);
        assertThat(job.news.lines()).isEmpty();
        assertThat(client.nextDeadlineNs()).as("when it looks again").isLessThan(System.nanoTime() + SECOND);
        assertThat(client.isGoodbyeHeard()).isFalse();
        serve();
        told.address = job.address();
        job.pollUntil(client, this::hasJoined);
    }

    /** The port of a former coordinator may be another program's by now. */
    @Test
    void shouldTryAgainWhereAStrangerListens() throws Exception {
        ServedJob other = new ServedJob();
        try {
            other.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND));
            serve();
            RendezvousClient client = job.joined(job.joining(request(job.address(), SECOND)));
            told.address = other.address();
            int before = told.asked.get();
            job.pollUntil(client, () -> told.asked.get() > before + 1000);
            assertThat(job.news.lines()).isEmpty();
            told.address = job.address();
            job.server.ended(client.me().id(), "x");
            job.pollUntil(client, () -> !job.news.lines().isEmpty());
        } finally {
            other.close();
        }
    }
}
