package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.SharedStore;

/** Tests rules S9 to S11 over a path to a real etcd on which requests and answers get lost. */
class EtcdLossTest {
    private static final long TTL_SECONDS = 60;
    private static final long LONG_NS = 60_000_000_000L;

    private static EtcdServer server;
    private static EtcdClient admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningEtcd.start();
        admin = RunningEtcd.client(server);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            admin.close();
            server.close();
        }
    }

    private static SharedStore store(LossyGateway gateway, String job) {
        return SharedStore.over(EtcdStore.open(
                gateway.client(), new Sealing(null, job), new EtcdKeys("/ulfm", job), 7, TTL_SECONDS, LONG_NS));
    }

    private static SharedStore direct(String job) {
        return SharedStore.over(EtcdStore.open(
                RunningEtcd.client(server),
                new Sealing(null, job),
                new EtcdKeys("/ulfm", job),
                8,
                TTL_SECONDS,
                LONG_NS));
    }

    /**
     * Gives a fate to those transactions whose number meets the condition, counted from 0 for the one that begins the
     * session. All other requests pass.
     */
    private static LossyGateway.Chance txn(Predicate<Integer> which, LossyGateway.Fate fate) {
        AtomicInteger count = new AtomicInteger();
        return (path, body) ->
                path.endsWith("/txn") && which.test(count.getAndIncrement()) ? fate : LossyGateway.Fate.PASSES;
    }

    @Test
    void shouldCountEachAdditionOnceWhateverGetsLost() throws Exception {
        SplittableRandom random = new SplittableRandom(20);
        LossyGateway.Fate[] fates = LossyGateway.Fate.values();
        LossyGateway.Chance chance = (path, body) -> {
            synchronized (random) {
                return random.nextInt(3) == 0 ? fates[random.nextInt(fates.length)] : LossyGateway.Fate.PASSES;
            }
        };
        ExecutorService threads = Executors.newCachedThreadPool();
        try (LossyGateway gateway = new LossyGateway(server, null, chance);
                SharedStore lossy = store(gateway, "additions");
                SharedStore direct = direct("additions")) {
            Future<?> other = threads.submit(() -> {
                for (int i = 0; i < 12; i++) {
                    direct.add("n", 1);
                }
            });
            for (int i = 0; i < 12; i++) {
                lossy.add("n", 1);
                if (i % 4 == 3) {
                    gateway.releaseLate();
                }
            }
            other.get(60, TimeUnit.SECONDS);
            assertThat(direct.get("n").text()).isEqualTo("24");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldGiveTheAnswerOfAChangeWhoseAnswerWasLost() throws Exception {
        // Transaction 0 makes the session. Each of the changes after it is sent twice, since the answer to its first
        // attempt is lost.
        try (LossyGateway gateway =
                        new LossyGateway(server, null, txn(n -> n % 2 == 1, LossyGateway.Fate.ANSWER_LOST));
                SharedStore lossy = store(gateway, "answers");
                SharedStore direct = direct("answers")) {
            long version = lossy.set("a", "1");
            assertThat(direct.get("a").version()).isEqualTo(version);
            assertThat(lossy.compareAndSet("a", version, new byte[] {'2'}).isDone())
                    .isTrue();
            assertThat(lossy.add("n", 5)).isEqualTo(5);
            assertThat(lossy.delete("a")).isTrue();
            assertThat(direct.get("a")).isNull();
        }
    }

    /**
     * The late change is stopped by its comparison with the marker. Its comparison with the key alone would not stop
     * it, as the key is absent again.
     */
    @Test
    void shouldNotMakeAChangeThatWasAnsweredAsLostOnceItComesAfterAll() throws Exception {
        try (LossyGateway gateway = new LossyGateway(server, null, txn(n -> n == 1, LossyGateway.Fate.LATE));
                SharedStore lossy = store(gateway, "late");
                SharedStore direct = direct("late")) {
            direct.set("a", "theirs");
            assertThat(lossy.compareAndSet("a", 0, new byte[] {'1'}).isDone()).isFalse();
            direct.delete("a");
            assertThat(gateway.releaseLate()).isEqualTo(1);
            assertThat(direct.get("a")).isNull();
            assertThat(lossy.compareAndSet("a", 0, new byte[] {'2'}).isDone()).isTrue();
        }
    }

    @Test
    void shouldNotMakeAChangeThatComesAfterTheNextOne() throws Exception {
        AtomicBoolean isKept = new AtomicBoolean();
        LossyGateway.Chance chance = (path, body) ->
                isKept.get() && path.endsWith("/txn") ? LossyGateway.Fate.LATE : LossyGateway.Fate.PASSES;
        try (LossyGateway gateway = new LossyGateway(server, null, chance);
                SharedStore lossy = store(gateway, "overtaken")) {
            isKept.set(true);
            // Repeats the change with twice the time until the time was enough for an attempt.
            RendezvousFailure failure = failureOf(lossy, 1);
            for (long ms = 2; isUnsent(failure) || gateway.kept() == 0; ms *= 2) {
                assertThat(ms).isLessThan(60_000);
                failure = failureOf(lossy, ms);
            }
            assertThat(failure)
                    .isInstanceOf(RendezvousFailure.Timeout.class)
                    .hasMessageEndingWith("; the change may still be made");
            isKept.set(false);
            lossy.set("a", "2");
            assertThat(gateway.releaseLate()).isPositive();
            assertThat(lossy.get("a").text()).isEqualTo("2");
            assertThat(lossy.add("n", 1)).isEqualTo(1);
        }
    }

    private static boolean isUnsent(RendezvousFailure failure) {
        return failure instanceof RendezvousFailure.Connection;
    }

    private static RendezvousFailure failureOf(SharedStore store, long ms) {
        return catchThrowableOfType(RendezvousFailure.class, () -> store.withTimeout(Duration.ofMillis(ms))
                .set("a", "1"));
    }

    private static void endLease(String job) {
        admin.deleteAll(("/ulfm/" + job + "/req/").getBytes(StandardCharsets.UTF_8), RunningEtcd.soon());
    }

    @Test
    void shouldBeginAnewAfterItsLeaseHasEnded() throws Exception {
        try (SharedStore store = direct("leases")) {
            assertThat(store.add("n", 1)).isEqualTo(1);
            endLease("leases");
            assertThat(store.add("n", 1)).isEqualTo(2);
            assertThat(store.add("n", 1)).isEqualTo(3);
        }
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownIfTheLeaseEndsUnderAChange() throws Exception {
        AtomicInteger count = new AtomicInteger();
        LossyGateway.Chance chance = (path, body) -> {
            if (!path.endsWith("/txn")) {
                return LossyGateway.Fate.PASSES;
            }
            int number = count.getAndIncrement();
            if (number == 2) {
                endLease("unknown");
            }
            return number == 1 ? LossyGateway.Fate.ANSWER_LOST : LossyGateway.Fate.PASSES;
        };
        try (LossyGateway gateway = new LossyGateway(server, null, chance);
                SharedStore lossy = store(gateway, "unknown")) {
            assertThatThrownBy(() -> lossy.add("n", 1))
                    .isInstanceOf(RendezvousFailure.OutcomeUnknown.class)
                    .hasMessage(
                            "the lease of this process at etcd has ended while a change was under way: the change was"
                                    + " made, or it was not");
            assertThat(lossy.add("n", 1)).as("it was made, once").isEqualTo(2);
        }
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownIfEtcdRefusesAChangeWhoseFirstAnswerWasLost() throws Exception {
        AtomicInteger count = new AtomicInteger();
        LossyGateway.Chance chance = (path, body) -> {
            if (!path.endsWith("/txn")) {
                return LossyGateway.Fate.PASSES;
            }
            int number = count.getAndIncrement();
            if (number == 2) {
                alarm("ACTIVATE");
            }
            return number == 1 ? LossyGateway.Fate.ANSWER_LOST : LossyGateway.Fate.PASSES;
        };
        try (LossyGateway gateway = new LossyGateway(server, null, chance);
                SharedStore lossy = store(gateway, "refused");
                SharedStore direct = direct("refused")) {
            assertThatThrownBy(() -> lossy.set("a", "1"))
                    .isInstanceOf(RendezvousFailure.OutcomeUnknown.class)
                    .hasMessage("etcd refuses: etcdserver: mvcc: database space exceeded; an earlier attempt got no"
                            + " answer: the change was made, or may still be made, or it was not");
            assertThat(direct.get("a").text()).as("it was made").isEqualTo("1");
            assertThatThrownBy(() -> lossy.set("a", "2"))
                    .as("without an attempt that got no answer")
                    .isInstanceOf(RendezvousFailure.Refused.class)
                    .hasMessage("etcd refuses: etcdserver: mvcc: database space exceeded");
        } finally {
            alarm("DEACTIVATE");
        }
    }

    /** Lets etcd believe that its disk is full, so that it refuses to store anything, or takes that back. */
    private static void alarm(String action) {
        admin.call(
                "/v3/maintenance/alarm",
                new JsonWriter().text("action", action).text("alarm", "NOSPACE"),
                RunningEtcd.soon());
    }

    @Test
    @Tag("release")
    void shouldRenewItsLease() throws Exception {
        SharedStore store = SharedStore.over(EtcdStore.open(
                RunningEtcd.client(server), new Sealing(null, "kept"), new EtcdKeys("/ulfm", "kept"), 9, 2, LONG_NS));
        byte[] marker = "/ulfm/kept/req/9".getBytes(StandardCharsets.UTF_8);
        try (store) {
            long created = admin.get(marker, RunningEtcd.soon()).created();
            long beganNs = System.nanoTime();
            // Longer than the lease would last.
            assertThatThrownBy(() -> store.waitFor("never", Duration.ofMillis(4500)))
                    .isInstanceOf(RendezvousFailure.Timeout.class);
            if (System.nanoTime() - beganNs < 5_500_000_000L) {
                assertThat(admin.get(marker, RunningEtcd.soon()).created()).isEqualTo(created);
            }
        }
        assertThat(admin.get(marker, RunningEtcd.soon())).as("given back").isNull();
    }
}
