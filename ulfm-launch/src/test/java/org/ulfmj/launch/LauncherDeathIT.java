package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that no process and no directory of a job is left when its launcher was killed or ended by a signal, and no
 * directory when the job ended by itself.
 */
class LauncherDeathIT {
    /**
     * The script of each process: it and a child in a separate session write their pids to one file; rank 0 writes the
     * job's directory to another.
     */
    private static final String SCRIPT =
            "setsid sh -c 'echo $$ >> \"$0\"; exec sleep 600' \"$PIDS\" & echo $$ >> \"$PIDS\";"
                    + " [ $ULFM_RANK = 0 ] && dirname \"$ULFM_CONF\" > \"$PIDS.dir\"; wait";

    @TempDir
    Path directory;

    @Test
    void shouldLeaveNothingWhenTheLauncherIsKilled() throws Exception {
        try (Launched job = start()) {
            List<Long> pids = pids();
            Path jobDirectory = jobDirectory();
            Launched.send("STOP", pids.get(0));
            assertThat(jobDirectory).isDirectory();
            job.signal("KILL");
            assertNothingLeft(pids, jobDirectory);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void shouldEndTheJobAtASignalAndLeaveNothing(String signal, int code) throws Exception {
        try (Launched job = start()) {
            List<Long> pids = pids();
            Path jobDirectory = jobDirectory();
            job.signal(signal);
            assertThat(job.exitCode()).isEqualTo(code);
            assertThat(job.err()).contains("mpiexec: got SIG" + signal + "; ending the job\n");
            assertNothingLeft(pids, jobDirectory);
        }
    }

    @Test
    void shouldKillAtOnceAtTheSecondSignal() throws Exception {
        String deaf = "trap '' INT TERM; echo $$ >> \"$PIDS\"; while :; do sleep 1; done";
        try (Launched job =
                Launched.start("-n", "1", "-x", "PIDS=" + file(), "--set", "ulfm.grace=1h", "sh", "-c", deaf)) {
            List<Long> pids = awaitPids(1);
            job.signal("INT");
            job.awaitError("got SIGINT");
            job.signal("TERM");
            assertThat(job.exitCode()).isEqualTo(130);
            assertThat(Waiting.isAlive(pids.get(0))).isFalse();
        }
    }

    @Test
    void shouldRemoveTheDirectoryButNoProcessWhenTheJobEndsByItself() throws Exception {
        String script = "setsid sleep 600 & echo $! >> \"$PIDS\"; dirname \"$ULFM_CONF\" > \"$PIDS.dir\"";
        try (Launched job = Launched.start("-n", "1", "-x", "PIDS=" + file(), "sh", "-c", script)) {
            assertThat(job.exitCode()).isZero();
            long pid = awaitPids(1).get(0);
            assertThat(Waiting.isAlive(pid)).isTrue();
            Launched.send("KILL", pid);
            assertThat(jobDirectory()).doesNotExist();
        }
    }

    private Launched start() {
        return Launched.start("-n", "2", "-x", "PIDS=" + file(), "sh", "-c", SCRIPT);
    }

    private List<Long> pids() throws IOException {
        return awaitPids(4);
    }

    private Path file() {
        return directory.resolve("pids");
    }

    private List<Long> awaitPids(int count) throws IOException {
        List<Long> pids = new ArrayList<>();
        for (String line : Launched.awaitLines(file(), count)) {
            pids.add(Long.valueOf(line));
        }
        return pids;
    }

    private Path jobDirectory() throws IOException {
        return Path.of(Launched.awaitLines(directory.resolve("pids.dir"), 1).get(0));
    }

    private static void assertNothingLeft(List<Long> pids, Path jobDirectory) throws IOException {
        Waiting.until(() -> pids.stream().noneMatch(Waiting::isAlive), () -> "one of " + pids + " lives on");
        Waiting.until(() -> !Files.exists(jobDirectory), () -> jobDirectory + " is still there");
    }
}
