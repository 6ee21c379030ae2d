package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.ProcessStat;

class DeathWatchTest {
    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final DeathWatch watch = new DeathWatch(
            events::add, (process, state, isKillPending) -> {}, Path.of(ProcessStat.PROC), Long.MAX_VALUE);

    @BeforeEach
    void start() {
        watch.start();
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void shouldTellOfTheDeathAndThenOfTheExitCode() throws Exception {
        RankProcess process = start(3, "sleep", "600");
        watch.watch(process, true);
        process.kill();
        // The process may have been reaped before the watch looked, and the code of its death is then not known yet.
        assertThat(next()).isIn(new JobEvent.Died(process, 137), new JobEvent.Died(process, 0));
        assertThat(next()).isEqualTo(new JobEvent.Ended(process, 137));
    }

    @Test
    void shouldBelieveOnlyTheWaitForWhatIsNoVirtualMachine() throws Exception {
        RankProcess process = start(2, "sh", "-c", "exit 5");
        watch.watch(process, false);
        assertThat(next()).isEqualTo(new JobEvent.Ended(process, 5));
    }

    @Test
    void shouldRehearseOnceWhenAsked() throws Exception {
        BlockingQueue<Thread> rehearsals = new LinkedBlockingQueue<>();
        watch.rehearse(() -> rehearsals.add(Thread.currentThread()));
        assertThat(rehearsals.poll(60, TimeUnit.SECONDS)).isNotNull().isNotSameAs(Thread.currentThread());
        watch.watch(start(1, "true"), false);
        assertThat(next()).isInstanceOf(JobEvent.Ended.class);
        assertThat(rehearsals).isEmpty();
    }

    @Test
    void shouldLookAfterManyAtOnce() throws Exception {
        for (int slot = 0; slot < 8; slot++) {
            watch.watch(start(slot, "true"), false);
        }
        boolean[] ended = new boolean[8];
        for (int i = 0; i < 8; i++) {
            ended[((JobEvent.Ended) next()).process().id().slot()] = true;
        }
        assertThat(ended).doesNotContain(false);
    }

    @Test
    void shouldNotTakeATurnOfOthersForItsOwnCost() {
        long costNs = 20_000;
        costNs = DeathWatch.cost(costNs, 8_000_000);
        assertThat(costNs).isLessThan(30_000);
        costNs = DeathWatch.cost(costNs, 15_000);
        assertThat(costNs).isEqualTo(15_000);
    }

    @Test
    void shouldSeeThatLookingAfterMoreCostsMore() {
        long costNs = 0;
        for (int look = 0; look < 200; look++) {
            costNs = DeathWatch.cost(costNs, 1_000_000);
        }
        assertThat(costNs).isEqualTo(1_000_000);
    }

    private static RankProcess start(int slot, String... words) throws IOException {
        return RankProcess.start(ProcessId.of(slot), 0, List.of(words), Map.of(), Path.of("/"), null);
    }

    private JobEvent next() throws InterruptedException {
        return events.poll(60, TimeUnit.SECONDS);
    }
}
