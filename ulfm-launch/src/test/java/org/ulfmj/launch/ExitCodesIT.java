package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.Launched.Ended;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Tests the exit codes of mpiexec for shell scripts and other programs that do not call Init: those that follow from
 * the exit codes of the processes, and those of the launcher itself.
 */
class ExitCodesIT {
    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '~',
            value = {
                "exit 0 ~ 0 ~ ''",
                "[ $ULFM_RANK = 1 ] && exit 3; exec sleep 60 ~ 3 ~ rank 1 exited with code 3; ending the job",
                "[ $ULFM_RANK = 1 ] && kill -9 $$; exec sleep 60 ~ 137 ~ rank 1 was killed by signal 9 (KILL); ending the job",
                "[ $ULFM_RANK = 1 ] && kill -SEGV $$; exec sleep 60 ~ 139 ~ rank 1 was killed by signal 11 (SEGV);"
                        + " ending the job"
            })
    void shouldEndWithTheCodeOfTheRankThatFailedByItself(String script, int code, String said)
            throws InterruptedException {
        Ended job = Launched.run("-n", "3", "sh", "-c", script);
        assertThat(job.exitCode()).isEqualTo(code);
        assertThat(job.err()).contains(said);
    }

    /**
     * The launcher is stopped until all ranks have failed, so that it sees their ends at once, whichever came first.
     */
    @Test
    void shouldEndWithTheCodeOfTheLowestRankOfThoseThatFailedTogether() throws Exception {
        Path go = directory.resolve("go");
        Path pids = directory.resolve("pids");
        String script =
                "echo $$ >> " + pids + "; until [ -e " + go + " ]; do sleep 0.01; done; exit $((ULFM_RANK + 3))";
        try (Launched job = Launched.start("-n", "3", "sh", "-c", script)) {
            List<Long> ranks =
                    Launched.awaitLines(pids, 3).stream().map(Long::valueOf).toList();
            job.signal("STOP");
            try (ProcessStat launcher = ProcessStat.open(job.pid())) {
                Waiting.until(() -> launcher.readState() == 'T', () -> "mpiexec is not stopped");
            }
            Files.createFile(go);
            Waiting.until(() -> ranks.stream().noneMatch(Waiting::isAlive), () -> "one of " + ranks + " lives on");
            job.signal("CONT");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(3);
        }
    }

    @Test
    void shouldSayNothingOfItsOwnWhenAllIsWell() throws InterruptedException {
        Ended job = Launched.run("-n", "2", "true");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).isEmpty();
        assertThat(job.err()).isEmpty();
    }

    @Test
    void shouldEndWith124WhenTheTimeIsOver() throws InterruptedException {
        Ended job = Launched.run("-n", "2", "--timeout", "500ms", "sleep", "60");
        assertThat(job.exitCode()).isEqualTo(124);
        assertThat(job.err()).isEqualTo("mpiexec: --timeout is over; ending the job\n");
    }

    @Test
    void shouldKillWhatDoesNotEndWithinTheGrace() throws InterruptedException {
        String deaf = "trap '' TERM; while :; do sleep 1; done";
        Ended job = Launched.run("-n", "2", "--timeout", "500ms", "--set", "ulfm.grace=300ms", "sh", "-c", deaf);
        assertThat(job.exitCode()).isEqualTo(124);
    }

    @ParameterizedTest
    @CsvSource({"nonesuch, 127, cannot find 'nonesuch' in PATH", "/etc/passwd, 126, '/etc/passwd' is not an executable"
    })
    void shouldStartNothingWhenThereIsNothingToStart(String command, int code, String said)
            throws InterruptedException {
        Ended job = Launched.run("-n", "2", command);
        assertThat(job.exitCode()).isEqualTo(code);
        assertThat(job.err()).contains(said);
    }

    @ParameterizedTest
    @CsvSource({"--nonsense, ' (mpiexec --help'", "--timeuot, '; did you mean --timeout? (mpiexec --help'"})
    void shouldEndWith2WhenItIsUsedWrongly(String option, String question) throws InterruptedException {
        Ended job = Launched.run("-n", "2", option, "true");
        assertThat(job.exitCode()).isEqualTo(2);
        assertThat(job.err()).startsWith("mpiexec: unknown option " + option + question);
    }

    /** Rank 1 fails only after rank 0 has ended; otherwise the launcher would end rank 0 because of the failure. */
    @Test
    void shouldListHowEachProcessEnded() throws InterruptedException {
        Path pid = directory.resolve("pid");
        String script = "[ $ULFM_RANK = 1 ] || { echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; exit; };"
                + " until [ -e " + pid + " ]; do sleep 0.01; done;"
                + " while kill -0 $(cat " + pid + ") 2>/dev/null; do sleep 0.01; done; exit 4";
        Ended job = Launched.run("-n", "2", "--print-all-exitcodes", "sh", "-c", script);
        assertThat(job.exitCode()).isEqualTo(4);
        assertThat(job.err()).contains("mpiexec: rank 0: 0\nmpiexec: rank 1: 4\n");
    }
}
