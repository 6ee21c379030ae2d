package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Tests signals to mpiexec that do not end the job: SIGUSR1 and SIGUSR2 where they are not passed on, SIGTSTP, which
 * stops the job or leaves it running, and SIGCONT, which continues it.
 */
class SuspensionIT {
    private static final long MOST_NS = 60_000_000_000L;
    private static final long PAUSE_NS = 5_000_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"USR1", "USR2"})
    void shouldPassOnNoSignalWhereTheUserWantsNone(String signal) throws Exception {
        List<String> command = new ArrayList<>(List.of("--forward-signals", "none"));
        command.addAll(List.of(waitingCommand("1")));
        try (Launched job = Launched.start(command.toArray(String[]::new))) {
            job.awaitOutput("ready");
            job.signal(signal);
            job.awaitError("mpiexec: got SIG" + signal + ", which is not passed on to the processes"
                    + " (--forward-signals none); the job goes on\n");
            Files.createFile(directory.resolve("go"));
            assertThat(job.exitCode()).isZero();
        }
    }

    @Test
    void shouldStopAndContinueWithTheRanks() throws Exception {
        try (Launched job = Launched.startInAShell(waitingCommand("2"))) {
            List<String> pids = Launched.awaitLines(directory.resolve("pids"), 2);
            job.signal("TSTP");
            for (String pid : pids) {
                awaitState(pid, 'T');
            }
            awaitState(Long.toString(job.pid()), 'T');
            Files.createFile(directory.resolve("go"));
            job.signal("CONT");
            assertThat(job.exitCode()).isZero();
            assertThat(job.err()).isEmpty();
        }
    }

    /**
     * Shows that mpiexec goes on at SIGTSTP if it leads a separate session: such a process group is orphaned, and POSIX
     * has the signal do nothing there.
     */
    @Test
    void shouldGoOnWhereNoShellCouldContinueIt() throws Exception {
        try (Launched job = Launched.startBehind(List.of("setsid"), waitingCommand("2"))) {
            List<String> pids = Launched.awaitLines(directory.resolve("pids"), 2);
            job.signal("TSTP");
            job.awaitError("mpiexec: got SIGTSTP, and there is no shell with job control that could continue the job;"
                    + " it goes on\n");
            for (String pid : pids) {
                try (ProcessStat state = ProcessStat.open(Long.parseLong(pid))) {
                    assertThat(state.readState()).as(pid).isNotEqualTo('T');
                }
            }
            Files.createFile(directory.resolve("go"));
            assertThat(job.exitCode()).isZero();
        }
    }

    private Launched waiting(String size) {
        return Launched.start(waitingCommand(size));
    }

    /**
     * The command waits without starting processes: a shell whose child is stopped just before it executes another
     * program would never show the state of a stopped process.
     */
    private String[] waitingCommand(String size) {
        String script = "echo $$ >> " + directory.resolve("pids") + "; echo ready; until [ -e "
                + directory.resolve("go") + " ]; do :; done";
        return new String[] {"-n", size, "sh", "-c", script};
    }

    private static void awaitState(String pid, char wanted) {
        long beganNs = System.nanoTime();
        try (ProcessStat state = ProcessStat.open(Long.parseLong(pid))) {
            while (state.readState() != wanted) {
                assertThat(System.nanoTime() - beganNs).as("state of " + pid).isLessThan(MOST_NS);
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
