package org.ulfmj.launch.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.discovery.DiscoveryFailure.Kind;
import org.ulfmj.launch.hosts.HostSlots;

/** Tests the command of {@code --host-discovery}, run by a real shell. */
class DiscoveryCommandTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    Path directory;

    @Test
    void shouldFindHostsAndSlots() throws Exception {
        DiscoveryCommand.Result found = run("printf 'localhost:2\\n\\n# a comment\\nb slots=3\\nc\\n'");
        assertThat(found.failure()).isNull();
        assertThat(found.hosts()).extracting(HostSlots::name).containsExactly("localhost", "b", "c");
        assertThat(found.hosts()).extracting(HostSlots::slots).containsExactly(2, 3, 1);
    }

    @Test
    void shouldGiveTheCommandVariablesAndNoInput() throws Exception {
        assertThat(run("cat; echo \"$NAME:5\"").hosts().get(0).name()).isEqualTo("value");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "echo first >&2; echo no answer >&2; exit 3~EXIT_CODE~the command exited with code 3: no answer",
                "exit 4~EXIT_CODE~the command exited with code 4",
                "kill -9 $$~EXIT_CODE~the command exited with code 137",
                "true~NO_HOSTS~output of the command: there is no host in it",
                "echo a:0~NO_HOSTS~output of the command, line 1: '0' is no number of slots; allowed: 1 or more, and nothing"
                        + " for 1",
                "echo a b~NO_HOSTS~output of the command, line 1: 'b' is not known; allowed: NAME, NAME:SLOTS, NAME slots=N"
                        + " max_slots=N",
                "yes a~TOO_LONG~the command prints more than 1048576 bytes",
                "yes a >&2~TOO_LONG~the command prints more than 1048576 bytes",
            })
    void shouldSayWhyNothingWasFound(String command, Kind kind, String why) throws Exception {
        assertThat(run(command)).isEqualTo(new DiscoveryCommand.Result(null, new DiscoveryFailure(kind, why)));
    }

    @Test
    void shouldSayThatACommandCannotBeRun() throws Exception {
        Path none = directory.resolve("none");
        DiscoveryFailure failure =
                new DiscoveryCommand("echo a", MINUTE_NS, Map.of(), none).run().failure();
        assertThat(failure.kind()).isEqualTo(Kind.NOT_RUN);
        assertThat(failure.why()).startsWith("the command cannot be run: ").contains(none.toString());
    }

    @Test
    void shouldRefuseMoreHostsThanAJobMayHave() {
        assertThat(DiscoveryCommand.parse("a\n".repeat(HostSlots.MOST_HOSTS)).hosts())
                .hasSize(HostSlots.MOST_HOSTS);
        assertThat(DiscoveryCommand.parse("a\n".repeat(HostSlots.MOST_HOSTS + 1))
                        .failure())
                .isEqualTo(new DiscoveryFailure(Kind.NO_HOSTS, "4097 hosts; allowed: 1 to 4096"));
    }

    @Test
    void shouldKillACommandWithItsChildrenWhenItsTimeIsOver() throws Exception {
        Path pids = directory.resolve("pids");
        String line = "sleep 600 & echo $! >> " + pids + "; echo $$ >> " + pids + "; echo a; wait";
        DiscoveryCommand command = command(line, TimeUnit.SECONDS.toNanos(2));
        assertThat(command.run().failure())
                .isEqualTo(new DiscoveryFailure(
                        Kind.TIME_OVER,
                        "the command has not ended within 2000 ms (ulfm.discovery.timeout) and is killed"));
        List<String> all = Files.readAllLines(pids);
        assertThat(all).hasSize(2);
        for (String pid : all) {
            awaitEnd(Long.parseLong(pid));
        }
        assertThat(command.run().failure().kind()).as("it can be run again").isEqualTo(Kind.TIME_OVER);
    }

    /**
     * A process that the command leaves running may still have the command's output open; the run ends all the same.
     */
    @Test
    void shouldNotWaitForWhatACommandLeavesRunning() throws Exception {
        Path pid = directory.resolve("pid");
        try {
            assertThat(run("sleep 600 & echo $! > " + pid + "; echo a:3")
                            .hosts()
                            .get(0)
                            .slots())
                    .isEqualTo(3);
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(pid).trim())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private DiscoveryCommand.Result run(String command) throws InterruptedException {
        return command(command, MINUTE_NS).run();
    }

    private DiscoveryCommand command(String command, long limitNs) {
        return new DiscoveryCommand(command, limitNs, Map.of("NAME", "value"), directory);
    }

    /** Waits until a process has ended; a dead one that is not reaped counts as ended. */
    static void awaitEnd(long pid) throws IOException {
        long beganNs = System.nanoTime();
        while (isAlive(pid)) {
            assertThat(System.nanoTime() - beganNs).as("pid %d lives on", pid).isLessThan(MINUTE_NS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static boolean isAlive(long pid) throws IOException {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException gone) {
            return false;
        }
    }
}
