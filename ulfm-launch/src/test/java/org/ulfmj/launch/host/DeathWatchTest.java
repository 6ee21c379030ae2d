package org.ulfmj.launch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.ProcessStat;

class DeathWatchTest {
    /** More than any test waits. */
    private static final long GRACE_NS = 300_000_000_000L;

    /**
     * Starts a child that takes a while to handle SIGTERM, and then notes in a file that it has done so. The child's
     * own child notes that the child is ready: a signal to a process that still has the shell's handling of it would be
     * lost.
     */
    private static final String SCRIPT =
            """
            sh -c 'trap "sleep 0.3; echo saved > $0/saved; exit" TERM; (echo > $0/ready; exec sleep 600) & wait' "$0"
            exit
            """;

    @TempDir
    private Path files;

    private final NotedFindings findings = new NotedFindings();
    private final DeathWatch watch = new DeathWatch(findings, Path.of(ProcessStat.PROC), Long.MAX_VALUE, GRACE_NS);

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
        // The exit code is 0 in the report of the death if the process was reaped before the watch looked.
        assertThat(next()).isIn("died 3, 137", "died 3, 0");
        assertThat(next()).isEqualTo("ended 3, 137");
    }

    @Test
    void shouldBelieveOnlyTheWaitForWhatIsNoVirtualMachine() throws Exception {
        RankProcess process = start(2, "sh", "-c", "exit 5");
        watch.watch(process, false);
        assertThat(next()).isEqualTo("ended 2, 5");
    }

    /**
     * A script ends by SIGTERM at once, but its end is reported only after the rank that it has started has handled the
     * signal.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellOfTheEndOfATerminatedScriptOnceNothingIsLeftOfItsGroup(boolean isToGroup) throws Exception {
        RankProcess process = start(2, "sh", "-c", SCRIPT, files.toString());
        watch.watch(process, false);
        await("ready");
        if (isToGroup) {
            SignalSender.sendToGroups("TERM", List.of(process));
        } else {
            SignalSender.sendAlone("TERM", List.of(process));
        }
        assertThat(next()).isEqualTo("ended 2, 143");
        assertThat(files.resolve("saved")).exists();
    }

    @Test
    void shouldTellOfTheEndOfATerminatedScriptAfterTheGraceThoughItsRankLives() throws Exception {
        String deaf = "sh -c 'trap \"\" TERM; sleep 600 & echo > $0/ready; wait' \"$0\"; exit";
        NotedFindings impatient = new NotedFindings();
        DeathWatch other = new DeathWatch(impatient, Path.of(ProcessStat.PROC), Long.MAX_VALUE, 200_000_000);
        other.start();
        RankProcess process = start(2, "sh", "-c", deaf, files.toString());
        other.watch(process, false);
        await("ready");
        SignalSender.sendToGroups("TERM", List.of(process));
        try {
            assertThat(impatient.all.poll(60, TimeUnit.SECONDS)).isEqualTo("ended 2, 143");
        } finally {
            SignalSender.sendToGroups("KILL", List.of(process));
            other.close();
        }
    }

    private void await(String name) {
        long untilNs = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(files.resolve(name))) {
            assertThat(System.nanoTime()).as("no file " + name).isLessThan(untilNs);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldRehearseOnceWhenAsked() throws Exception {
        BlockingQueue<Thread> rehearsals = new LinkedBlockingQueue<>();
        watch.rehearse(() -> rehearsals.add(Thread.currentThread()));
        assertThat(rehearsals.poll(60, TimeUnit.SECONDS)).isNotNull().isNotSameAs(Thread.currentThread());
        watch.watch(start(1, "true"), false);
        assertThat(next()).isEqualTo("ended 1, 0");
        assertThat(rehearsals).isEmpty();
    }

    @Test
    void shouldLookAfterManyAtOnce() throws Exception {
        for (int slot = 0; slot < 8; slot++) {
            watch.watch(start(slot, "true"), false);
        }
        Set<String> ended = new TreeSet<>();
        for (int i = 0; i < 8; i++) {
            ended.add(next());
        }
        assertThat(ended).hasSize(8).allMatch(each -> each.startsWith("ended "));
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

    private String next() throws InterruptedException {
        return findings.all.poll(60, TimeUnit.SECONDS);
    }
}
