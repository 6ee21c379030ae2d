package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.IgnoredNews;
import org.ulfmj.rendezvous.client.JoinRequest;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.client.RendezvousException;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;

/** Tests the meeting point of an elastic job with clients that only join, instead of MPI programs. */
class ElasticMeetingPointTest {
    private static final long MOST_S = 60;
    private static final ProcessId FIRST = Membership.child(0);
    private static final ProcessId SECOND = Membership.child(1);

    private final JobSecret secret = JobSecret.random();
    private final Options options = Options.of(new TreeMap<>(Map.of("ulfm.fd.timeout", "10s")));
    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private MeetingPoint point;

    @BeforeEach
    void open() throws Exception {
        ElasticJob job = new ElasticJob(1, 2, null, null);
        point = MeetingPoint.open("job", job, options, 0, secret, HostPlace.LOOPBACK, events::add);
    }

    @AfterEach
    void close() {
        point.close();
    }

    @Test
    void shouldKnowProcessesByTheirNumbersWhateverSlotsTheyGet() throws Exception {
        CompletableFuture<RendezvousClient> second = join(SECOND, 7);
        assertThat(next(JobEvent.Arrived.class).child()).isEqualTo(SECOND);
        assertThat(next(JobEvent.Joined.class).process()).isEqualTo(SECOND);
        point.endLastCall();
        JobEvent.MembersAre begun = next(JobEvent.MembersAre.class);
        assertThat(begun.epoch()).isZero();
        assertThat(begun.slots()).isEqualTo(new TreeMap<>(Map.of(SECOND, 0)));
        next(JobEvent.AllJoined.class);
        CompletableFuture<RendezvousClient> first = join(FIRST, 8);
        assertThat(next(JobEvent.Arrived.class).child()).isEqualTo(FIRST);
        assertThat(next(JobEvent.Joined.class).process()).isEqualTo(FIRST);
        try (RendezvousClient waits = first.get(MOST_S, TimeUnit.SECONDS);
                RendezvousClient runs = second.get(MOST_S, TimeUnit.SECONDS)) {
            assertThat(waits.isPending()).isTrue();
            MemberRecord letIn = waits.me().named(ProcessId.of(1));
            runs.committed(1, List.of(runs.me(), letIn), 99);
            runs.poll(System.nanoTime(), new IgnoredNews());
            JobEvent.MembersAre grown = next(JobEvent.MembersAre.class);
            SortedMap<ProcessId, Integer> slots = new TreeMap<>(Map.of(SECOND, 0, FIRST, 1));
            assertThat(grown).isEqualTo(new JobEvent.MembersAre(SECOND, 1, slots));
            runs.abort(3, "enough");
            runs.poll(System.nanoTime(), new IgnoredNews());
            assertThat(next(JobEvent.Aborted.class).process()).as("slot 0").isEqualTo(SECOND);
        }
    }

    @Test
    void shouldTellTheEndOfAProcessThatIsHeardOfOnlyAfterIt() throws Exception {
        point.ended(FIRST, "was killed by signal 9 (KILL)");
        CompletableFuture<RendezvousClient> dead = join(FIRST, 7);
        assertThat(next(JobEvent.Arrived.class).child()).isEqualTo(FIRST);
        assertThatThrownBy(() -> dead.get(MOST_S, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(RendezvousException.class)
                .hasMessageContaining("has ended");
        point.endLastCall();
        CompletableFuture<RendezvousClient> second = join(SECOND, 8);
        next(JobEvent.Arrived.class);
        next(JobEvent.Joined.class);
        point.endLastCall();
        assertThat(next(JobEvent.MembersAre.class).slots()).containsOnlyKeys(SECOND);
        second.get(MOST_S, TimeUnit.SECONDS).close();
    }

    @Test
    void shouldHearOutAProcessThatNeverJoined() throws Exception {
        point.hearOut(FIRST, 3);
        assertThat(next(JobEvent.HeardOut.class)).isEqualTo(new JobEvent.HeardOut(FIRST, 3));
    }

    private CompletableFuture<RendezvousClient> join(ProcessId child, long nonce) {
        MemberRecord me = new MemberRecord(Joiner.NAMELESS, nonce, 1, "127.0.0.1", 4711, "", HostProcess.UNKNOWN);
        JoinRequest request = new JoinRequest(
                new InetSocketAddress("127.0.0.1", point.server().port()),
                "job",
                me,
                secret,
                options.hash(),
                TimeUnit.SECONDS.toNanos(MOST_S),
                TimeUnit.SECONDS.toNanos(MOST_S));
        CompletableFuture<RendezvousClient> joined = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                joined.complete(RendezvousClient.joinWithoutSlot(request, 0, Children.told(child)));
            } catch (RendezvousException refused) {
                joined.completeExceptionally(refused);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return joined;
    }

    /** Returns the next event of a kind, and drops those before it. */
    private <E extends JobEvent> E next(Class<E> kind) throws InterruptedException {
        while (true) {
            JobEvent event = events.poll(MOST_S, TimeUnit.SECONDS);
            assertThat(event).as("no %s came", kind.getSimpleName()).isNotNull();
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
    }
}
