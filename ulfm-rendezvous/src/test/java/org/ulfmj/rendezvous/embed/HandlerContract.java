package org.ulfmj.rendezvous.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.transport.auth.JobSecret;

/** Tests guarantees of a {@link RendezvousHandler}, those of torchelastic's; each subclass does so over one backend. */
public abstract class HandlerContract {
    /** Short, so that tests need not wait long: a process that is gone counts as gone after two leases. */
    private static final Duration LEASE = Duration.ofMillis(1_500);

    private static final String LONG_CALL = "&last_call_timeout=3600";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RendezvousHandler> opened = new ArrayList<>();
    private final String job = "rdzv-" + System.identityHashCode(this);

    /** The URL of a job, without parameters. */
    protected abstract String url(String job);

    /** The secret of the job; null for none. */
    protected abstract JobSecret secret();

    private RendezvousHandler open(String parameters) {
        return open(parameters, Duration.ofSeconds(15));
    }

    private RendezvousHandler open(String parameters, Duration lease) {
        RendezvousUrl url = Backends.parse(url(job) + "?" + parameters);
        StoreLine line = Backends.of(url).open(url, secret(), 60_000_000_000L);
        RendezvousHandler handler = new RendezvousHandler(url, line, lease);
        opened.add(handler);
        return handler;
    }

    @AfterEach
    void closeAll() throws Exception {
        opened.forEach(RendezvousHandler::close);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private <T> Future<T> inThread(Callable<T> call) {
        return threads.submit(call);
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    /**
     * Waits until the state of the rendezvous is in the store, so that a process has written the limits that hold for
     * all.
     */
    private void awaitState() {
        try (SharedStore store = SharedStore.open(url(job), secret())) {
            store.waitFor("rdzv/state", Duration.ofSeconds(60));
        }
    }

    private static void requireBlocked(Future<?> call) {
        assertThatThrownBy(() -> call.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long untilNs = System.nanoTime() + 60_000_000_000L;
        while (!condition.call()) {
            assertThat(System.nanoTime() - untilNs).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldGiveAllMembersOneRoundAndEachItsRank() throws Exception {
        List<Future<Round>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RendezvousHandler handler = open("min_workers=4&max_workers=4");
            assertThat(handler.runId()).isEqualTo(job);
            if (i == 3) {
                requireBlocked(calls.get(0)); // the barrier
            }
            calls.add(inThread(handler::nextRendezvous));
        }
        Set<Integer> ranks = new HashSet<>();
        for (Future<Round> call : calls) {
            Round round = done(call);
            assertThat(round.size()).isEqualTo(4);
            assertThat(round.number()).isEqualTo(done(calls.get(0)).number());
            assertThat(round.isMember()).isTrue();
            ranks.add(round.rank());
        }
        assertThat(ranks).containsExactlyInAnyOrder(0, 1, 2, 3);
        done(calls.get(1)).store().set("key", "value");
        assertThat(done(calls.get(2)).store().get("key").text()).isEqualTo("value");
    }

    @Test
    void shouldWaitForMoreDuringTheLastCallAndThenBegin() throws Exception {
        String parameters = "min_workers=2&max_workers=4&last_call_timeout=5";
        // The handlers are opened before the time is taken: the test checks the length of the last call only.
        List<RendezvousHandler> handlers = List.of(open(parameters), open(parameters), open(parameters));
        List<Future<Round>> calls = new ArrayList<>();
        long beganNs = System.nanoTime();
        for (RendezvousHandler handler : handlers) {
            calls.add(inThread(handler::nextRendezvous));
        }
        assertThat(done(calls.get(0)).size()).isEqualTo(3);
        assertThat(System.nanoTime() - beganNs).isGreaterThan(4_900_000_000L);
        done(calls.get(1));
        done(calls.get(2));
    }

    @Test
    void shouldLetLateProcessesWaitUntilAllMembersHaveLeft() throws Exception {
        String parameters = "min_workers=2&max_workers=2" + LONG_CALL;
        RendezvousHandler first = open(parameters);
        RendezvousHandler second = open(parameters);
        Future<Round> call = inThread(first::nextRendezvous);
        Round secondRound = second.nextRendezvous();
        Round round = done(call);
        assertThat(first.numWaiting()).isZero();
        RendezvousHandler late = open(parameters);
        Future<Round> lateCall = inThread(late::nextRendezvous);
        await(() -> first.numWaiting() == 1);
        Future<Round> again = inThread(first::nextRendezvous);
        await(() -> second.numWaiting() == 2);
        requireBlocked(lateCall);
        requireBlocked(again);
        assertThat(round.isMember()).isFalse();
        assertThatThrownBy(() -> round.store().get("key")).isInstanceOf(RendezvousFailure.Fenced.class);
        secondRound.store().set("key", "old");
        second.close();
        assertThat(done(lateCall).number())
                .isGreaterThan(round.number())
                .isEqualTo(done(again).number());
        assertThat(done(lateCall).store().get("key")).isNull();
    }

    @Test
    void shouldLeaveTheDeadOutOfTheNextRound() throws Exception {
        String parameters = "min_workers=1&max_workers=2" + LONG_CALL;
        RendezvousHandler first = open(parameters, LEASE);
        RendezvousHandler second = open(parameters, LEASE);
        Future<Round> call = inThread(first::nextRendezvous);
        Round dead = second.nextRendezvous();
        assertThat(done(call).size()).isEqualTo(2);
        second.endWithoutLeaving();
        assertThat(dead.isMember()).isFalse();
        Future<Round> next = inThread(first::nextRendezvous);
        Round lateRound = open(parameters, LEASE).nextRendezvous();
        assertThat(lateRound.size()).isEqualTo(2);
        assertThat(done(next).number()).isEqualTo(lateRound.number());
    }

    @Test
    void shouldGoOnWhenAProcessDiesBeforeTheRound() throws Exception {
        String parameters = "min_workers=3&max_workers=3";
        RendezvousHandler dying = open(parameters, LEASE);
        Future<Round> never = inThread(dying::nextRendezvous);
        RendezvousHandler first = open(parameters, LEASE);
        Future<Round> firstCall = inThread(first::nextRendezvous);
        requireBlocked(never);
        dying.endWithoutLeaving();
        assertThatThrownBy(() -> done(never)).hasCauseInstanceOf(RendezvousFailure.Closed.class);
        Future<Round> second = inThread(open(parameters, LEASE)::nextRendezvous);
        Future<Round> third = inThread(open(parameters, LEASE)::nextRendezvous);
        assertThat(Set.of(
                        done(firstCall).rank(), done(second).rank(), done(third).rank()))
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void shouldRefuseEachRoundOnceClosed() throws Exception {
        String parameters = "min_workers=2&max_workers=2";
        RendezvousHandler first = open(parameters);
        RendezvousHandler second = open(parameters);
        Future<Round> waiting = inThread(first::nextRendezvous);
        requireBlocked(waiting);
        assertThat(second.isClosed()).isFalse();
        second.setClosed();
        second.setClosed();
        assertThat(first.isClosed()).isTrue();
        assertThatThrownBy(() -> done(waiting))
                .cause()
                .isInstanceOf(RendezvousFailure.Closed.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(second::nextRendezvous).isInstanceOf(RendezvousFailure.Closed.class);
    }

    @Test
    void shouldSayWhatWasMissingWhenTheTimeIsOver() {
        int seconds = 1;
        RendezvousFailure.Timeout failure = timeoutOfOneAlone(seconds);
        // Repeats with twice the time until the time was enough to join.
        while (!failure.getMessage().contains("1 processes") && seconds < 64) {
            seconds *= 2;
            failure = timeoutOfOneAlone(seconds);
        }
        assertThat(failure)
                .isInstanceOf(RendezvousFailure.NonRetryable.class)
                .hasMessageContaining("within " + seconds + " s")
                .hasMessageContaining("JOINABLE")
                .hasMessageContaining("1 processes")
                .hasMessageContaining("min_workers=2");
    }

    private RendezvousFailure.Timeout timeoutOfOneAlone(int seconds) {
        RendezvousHandler alone = open("min_workers=2&max_workers=3&timeout=" + seconds);
        RendezvousFailure.Timeout failure =
                catchThrowableOfType(RendezvousFailure.Timeout.class, alone::nextRendezvous);
        assertThat(alone.numWaiting()).isZero();
        return failure;
    }

    @Test
    void shouldRefuseAProcessThatWasStartedWithOtherNumbers() throws Exception {
        Future<Round> first = inThread(open("min_workers=2&max_workers=2")::nextRendezvous);
        awaitState();
        requireBlocked(first);
        assertThatThrownBy(open("min_workers=2&max_workers=3")::nextRendezvous)
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessageContaining("max_workers=2")
                .hasMessageContaining("max_workers=3");
        Future<Round> second = inThread(open("min_workers=2&max_workers=2")::nextRendezvous);
        assertThat(done(first).size()).isEqualTo(done(second).size()).isEqualTo(2);
    }

    @Test
    void shouldEndACallWhenItsHandlerIsClosed() throws Exception {
        RendezvousHandler handler = open("min_workers=2");
        Future<Round> call = inThread(handler::nextRendezvous);
        requireBlocked(call);
        handler.close();
        assertThatThrownBy(() -> done(call)).hasCauseInstanceOf(RendezvousFailure.Closed.class);
        assertThatThrownBy(handler::nextRendezvous).isInstanceOf(RendezvousFailure.Closed.class);
    }

    @Test
    void shouldRefuseAStateThatIsNone() {
        RendezvousHandler handler = open("min_workers=2");
        try (SharedStore store = SharedStore.open(url(job), secret())) {
            store.set("rdzv/state", "something else");
            assertThatThrownBy(handler::nextRendezvous)
                    .isInstanceOf(RendezvousFailure.StateCorrupt.class)
                    .hasMessageContaining("gathering-1");
            store.delete("rdzv/state");
        }
    }
}
