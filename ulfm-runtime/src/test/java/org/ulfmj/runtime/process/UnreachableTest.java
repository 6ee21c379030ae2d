package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.JoinRequest;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * Tests a link that breaks for good. Rank 0 is in the test's own process; rank 1 is a real process. The test tells rank
 * 0 that the link broke.
 */
class UnreachableTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final Set<String> REAL_EVENTS = Set.of("onSilent", "onLinkBroken", "onLinkRestored");

    /** An event that no test can cause with certainty: rank 0 is told of it at its polls. */
    private interface Story {
        void tell(ProcessRank around, long nowNs);
    }

    @TempDir
    private Path directory;

    @Test
    void shouldHaveTheHigherOfTwoLiveRanksJudgedOnceTheTimeoutIsOver() throws Exception {
        // Both ranks must answer mpiexec within this timeout even if the machine is busy.
        Map<String, String> settings = Map.of("ulfm.fd.timeout", "4s", "ulfm.orphans", "continue");
        try (ProcessWorld world = new ProcessWorld(2, directory, settings, Map.of())) {
            world.start(1, "wait");
            AtomicBoolean told = new AtomicBoolean();
            RankRuntime lower = joinAsRankZero(world, (around, nowNs) -> {
                if (told.compareAndSet(false, true)) {
                    around.onLinkBroken(ProcessId.of(1));
                }
            });
            world.await("suspected 1 by 0");
            world.await("silent 1: has no path to rank 0 (both answer mpiexec)");
            lower.kill(new Error("the test is over"));
        }
    }

    @Test
    void shouldCountTheTimeoutFromTheBreakThatLasts() throws Exception {
        Map<String, String> settings = Map.of("ulfm.fd.timeout", "3s", "ulfm.orphans", "continue");
        AtomicLong firstNs = new AtomicLong();
        AtomicLong lastNs = new AtomicLong();
        try (ProcessWorld world = new ProcessWorld(2, directory, settings, Map.of())) {
            world.start(1, "wait");
            RankRuntime lower = joinAsRankZero(world, (around, nowNs) -> {
                if (firstNs.compareAndSet(0, nowNs)) {
                    around.onLinkBroken(ProcessId.of(1));
                    around.onLinkRestored(ProcessId.of(1));
                } else if (nowNs - firstNs.get() > SECOND_NS && lastNs.compareAndSet(0, nowNs)) {
                    around.onLinkBroken(ProcessId.of(1));
                }
            });
            world.await("suspected 1 by 0");
            assertThat(lastNs.get()).as("the second break").isNotZero();
            assertThat(System.nanoTime() - lastNs.get()).isGreaterThanOrEqualTo(3 * SECOND_NS);
            lower.kill(new Error("the test is over"));
        }
    }

    private RankRuntime joinAsRankZero(ProcessWorld world, Story story) throws Exception {
        JobConfiguration configuration = JobConfiguration.read(world.directory.resolve("conf"));
        Options options = configuration.options();
        JobSecret secret = JobSecret.read(world.directory.resolve("secret"));
        TcpFabric fabric = new TcpFabric(
                new LinkIdentity(ProcessId.of(0), 7),
                secret,
                options.timing(),
                options.hash(),
                "127.0.0.1",
                SystemClock.INSTANCE);
        fabric.listenForLifelines(directory.resolve("zero"));
        HostProcess here = HostProcess.self();
        MemberRecord me = new MemberRecord(
                ProcessId.of(0),
                7,
                0,
                "127.0.0.1",
                fabric.port(),
                directory.resolve("zero").toString(),
                here);
        RendezvousClient client = RendezvousClient.join(new JoinRequest(
                new InetSocketAddress("127.0.0.1", world.server.port()),
                "test",
                me,
                secret,
                options.hash(),
                60 * SECOND_NS,
                SECOND_NS));
        fabric.connect(client.table());
        ProcessRank around = new ProcessRank(me, client.table(), client, fabric, configuration, null, 1, null);
        RankIdentity identity = new RankIdentity(ProcessId.of(0), Membership.initial(2), secret.bytes());
        return RankRuntime.create(
                identity,
                fabric,
                SystemClock.INSTANCE,
                options.rankSettings(3, true, List.of()),
                telling(story, around));
    }

    /**
     * Makes hooks of rank 0 that tell the test's story at every poll with the seat, and hide all real silences, breaks
     * and restored links. On a busy machine rank 1's heartbeat may be late, or the link may be lost for a moment; when
     * the link is back, the break of the story would count as mended.
     */
    private static RankHooks telling(Story story, ProcessRank around) {
        return (RankHooks) Proxy.newProxyInstance(
                RankHooks.class.getClassLoader(), new Class<?>[] {RankHooks.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("onSeatPoll")) {
                        story.tell(around, (long) arguments[0]);
                    }
                    if (REAL_EVENTS.contains(method.getName())) {
                        return null;
                    }
                    try {
                        return method.invoke(around, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
