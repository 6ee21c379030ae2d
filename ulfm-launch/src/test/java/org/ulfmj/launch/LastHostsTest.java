package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;

@Timeout(60)
class LastHostsTest {
    private final JobEvents events = new JobEvents();
    private final List<String> left = new CopyOnWriteArrayList<>(List.of("a", "b"));
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final LastHosts hosts =
            new LastHosts(() -> new ArrayList<>(left), events, new Suspension(null, null, null), said::add);

    @Test
    void shouldEndOnceAllHostsHaveSaidThatNothingIsLeft() throws Exception {
        CompletableFuture<EndReason> wait = CompletableFuture.supplyAsync(() -> hosts.await(false));
        left.remove("a");
        events.accept(new JobEvent.HostNotice("something of host b"));
        // Even if the thread that waits for the hosts begins late, it prints the notice before it returns.
        while (!said.contains("something of host b")) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(wait).isNotDone();
        left.remove("b");
        assertThat(wait.get(50, TimeUnit.SECONDS)).isNull();
        assertThat(said).noneMatch(line -> line.contains("has not said"));
    }

    @Test
    void shouldSayWhatItWaitsForAndEndAtOnceBySignal() throws Exception {
        CompletableFuture<EndReason> wait = CompletableFuture.supplyAsync(() -> hosts.await(false));
        while (said.isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(said)
                .containsExactly(
                        "waiting for hosts a, b to say that nothing is left there of the job, for at most 15 s;"
                                + " a signal ends the wait");
        assertThat(wait).isNotDone();
        left.remove("a");
        events.accept(new JobEvent.Signalled("INT"));
        assertThat(wait.get(50, TimeUnit.SECONDS).message()).isEqualTo("got SIGINT");
        assertThat(said).last().isEqualTo("host b has not said that nothing is left there of the job");
    }

    @Test
    void shouldWaitASecondForAUserWhoHasLostPatience() {
        assertThat(hosts.await(true)).isNull();
        assertThat(said).containsExactly("hosts a, b have not said that nothing is left there of the job");
    }

    @Test
    void shouldNotWaitWhereThereIsNoOtherHost() {
        left.clear();
        assertThat(hosts.await(false)).isNull();
        assertThat(said).isEmpty();
    }
}
