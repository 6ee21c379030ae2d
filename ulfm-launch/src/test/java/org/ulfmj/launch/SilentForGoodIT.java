package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Checks that a rank that stops itself is judged silent and killed, so that no rank waits for it for ever, and that no
 * rank is when the user stops the whole job.
 */
class SilentForGoodIT {
    private static final long TIMEOUT_MS = 3_000;
    /** The most milliseconds from the line by which rank 2 says that it stops to the end of the job. */
    private static final long MOST_END_MS = 40_000;

    private static final long PAUSE_NS = 5_000_000;
    private static final long MOST_NS = 100_000_000_000L;
    private static final String ENDED = "mpiexec: rank 2 was silent for " + TIMEOUT_MS + " ms (state T) and is ended\n";

    @TempDir
    private Path directory;

    @Test
    void shouldEndTheJobWhenAllWhoCountHaveEnded() throws InterruptedException {
        try (Launched job = run("", "shrink")) {
            awaitOutput(job, "2 stops");
            long stopNs = System.nanoTime();
            assertThat(job.exitCode()).as(job.errSoFar()).isZero();
            long endMs = (System.nanoTime() - stopNs) / 1_000_000;
            System.out.println("mpiexec ended " + endMs + " ms after the stop");
            assertThat(job.err()).containsOnlyOnce(ENDED).contains("mpiexec: rank 2: 137\n");
            assertThat(job.out()).contains("0 goes on with 2", "1 goes on with 2");
            assertThat(endMs).isLessThan(MOST_END_MS);
        }
    }

    @Test
    void shouldReplaceItSoonAfterItsDeath() throws InterruptedException {
        try (Launched job = run("--max-restarts 1", "replace")) {
            assertThat(job.exitCode()).as(job.errSoFar()).isZero();
            assertThat(job.err()).containsOnlyOnce(ENDED).contains("starting it again as 2'1 (1 of 1)");
            assertThat(job.out()).contains("0 goes on with 3", "1 goes on with 3");
            long replacedMs = latest(job, "goes on") - latest(job, "knows");
            System.out.println("replaced " + replacedMs + " ms after the others knew");
            assertThat(replacedMs).isLessThan(20_000);
        }
    }

    /**
     * Shows that no rank is ended as silent when mpiexec gets SIGTSTP, as by ^Z, so that the job is stopped for longer
     * than the timeout, and then SIGCONT, as by fg.
     */
    @Test
    @Tag("long")
    void shouldEndNoProcessForAStopThatTheLauncherPassedOn() throws Exception {
        Path go = directory.resolve("go");
        try (Launched job = Launched.startInAShell(words("", "wait " + go))) {
            awaitOutput(job, "2 waits");
            job.signal("TSTP");
            try (ProcessStat state = ProcessStat.open(job.pid())) {
                long beganNs = System.nanoTime();
                while (state.readState() != 'T') {
                    LockSupport.parkNanos(PAUSE_NS);
                    assertThat(System.nanoTime() - beganNs).isLessThan(MOST_NS);
                }
            }
            long untilNs = System.nanoTime() + 2 * TIMEOUT_MS * 1_000_000;
            while (System.nanoTime() - untilNs < 0) {
                LockSupport.parkNanos(PAUSE_NS);
            }
            job.signal("CONT");
            Files.createFile(go);
            assertThat(job.exitCode()).as(job.errSoFar()).isZero();
            assertThat(job.err()).doesNotContain("is ended");
        }
    }

    private static void awaitOutput(Launched job, String text) {
        long beganNs = System.nanoTime();
        while (!job.outSoFar().contains(text)) {
            LockSupport.parkNanos(PAUSE_NS);
            assertThat(System.nanoTime() - beganNs).as(job.errSoFar()).isLessThan(MOST_NS);
        }
    }

    private static long latest(Launched job, String what) {
        Matcher lines = Pattern.compile("\\d " + what + ".* after (\\d+) ms").matcher(job.out());
        long latestMs = 0;
        while (lines.find()) {
            latestMs = Math.max(latestMs, Long.parseLong(lines.group(1)));
        }
        System.out.println(what + ": at most " + latestMs + " ms after the stop");
        return latestMs;
    }

    private static Launched run(String options, String mode) {
        return Launched.start(words(options, mode));
    }

    private static String[] words(String options, String mode) {
        String line = "-n 3 --timeout 120 --print-all-exitcodes --set ulfm.fd.timeout=" + TIMEOUT_MS + "ms " + options;
        return Launched.program(line + " java", SilentForGood.class, mode.split(" "));
    }
}
