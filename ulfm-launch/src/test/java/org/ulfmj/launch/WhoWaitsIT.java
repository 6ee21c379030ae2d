package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import waiting.Deadlock;

/**
 * Tests the report of which rank waits for which, with real processes: at SIGQUIT to mpiexec or to a rank, and when the
 * time of the job is over.
 */
class WhoWaitsIT {
    private static final String RECEIVING =
            "(?s).*mpiexec:   ranks 0, 1  wait for [\\d.-]+ s in recv on COMM_WORLD \\(0 for 1, 1 for 0\\), tag 7,"
                    + " at waiting\\.Deadlock\\.main\\(Deadlock\\.java:\\d+\\)\n.*";
    private static final String COMPUTING = "(?s).*mpiexec:   rank 2      computes for \\d+\\.\\d s outside MPI,"
            + " at waiting\\.Deadlock\\.compute\\(Deadlock\\.java:\\d+\\)\n.*";
    private static final int MOST_QUESTIONS = 20;
    private static final String DEADLOCK = "mpiexec:   => deadlock: rank 0 waits for 1, 1 for 0\n";

    @Test
    @Tag("long")
    void shouldPrintThePageOnSigquitAndGoOn() throws Exception {
        try (Launched job = run("--set ulfm.fd.timeout=100s --set ulfm.grace=300ms")) {
            job.awaitOutput("rank 2 computes");
            assertThat(pageOfAll(job))
                    .matches(RECEIVING)
                    .matches(COMPUTING)
                    .contains("mpiexec:   rank 3      waits for ")
                    .containsPattern(
                            "in barrier on split of COMM_WORLD \\(2 ranks, id [0-9a-f]+\\) for rank 2 \\(0 there\\)")
                    .contains(DEADLOCK);
            assertThat(job.outSoFar()).as("no thread dump of mpiexec").doesNotContain("Full thread dump");

            Launched.send("STOP", pid(job, 3));
            awaitReady(job);
            job.signal("QUIT");
            job.awaitError("mpiexec:   rank 3      does not answer; its process is stopped (state T)\n");

            Launched.send("QUIT", pid(job, 2));
            job.awaitError("mpiexec: who waits for whom at rank 2, ");
            job.awaitOutput("Full thread dump");
            job.signal("TERM");
            assertThat(job.exitCode()).isEqualTo(143);
        }
    }

    @Test
    @Tag("release")
    void shouldPrintThePageBeforeTheTimeIsOver() throws InterruptedException {
        String options = " --set ulfm.grace=300ms";
        try (Launched job = Launched.untilOver(seconds -> run("--timeout " + seconds + options), "rank 2 computes")) {
            assertThat(job.exitCode()).isEqualTo(124);
            assertThat(job.err())
                    .startsWith("mpiexec: --timeout is over; ending the job\nmpiexec: who waits for whom, ")
                    .matches(COMPUTING);
            assertThat(job.err().split("who waits for whom", -1)).as("one page").hasSize(2);
        }
    }

    @Test
    void shouldSayWhoHasNotCalledInit() throws IOException, InterruptedException {
        try (Launched job = Launched.start("-n", "2", "sh", "-c", "echo here; exec sleep 60")) {
            job.awaitOutput("here\nhere\n");
            job.signal("QUIT");
            job.awaitError("mpiexec:   ranks 0, 1  have not called MPI.Init\n");
        }
    }

    /**
     * Sends SIGQUIT to mpiexec again and again, until a page says that ranks 0 and 1 wait for each other, and rank 3
     * for rank 2, which computes. On a busy machine a rank may not have got there yet, or may not answer in time.
     */
    private static String pageOfAll(Launched job) throws IOException, InterruptedException {
        String title = "mpiexec: who waits for whom, ";
        for (int asked = 1; asked <= MOST_QUESTIONS; asked++) {
            job.signal("QUIT");
            int count = asked;
            Waiting.until(() -> job.errSoFar().split(title, -1).length > count, () -> "no page " + count);
            awaitReady(job);
            String all = job.errSoFar();
            assertThat(all).startsWith(title);
            String page = all.substring(all.lastIndexOf(title));
            if (page.contains(DEADLOCK) && page.contains("=> rank 3 waits for rank 2") && page.matches(COMPUTING)) {
                return page;
            }
        }
        throw new AssertionError("no page of all ranks: " + job.errSoFar());
    }

    /**
     * Waits until mpiexec has removed the socket that the last SIGQUIT has made: before that, it would not notice
     * another SIGQUIT.
     */
    private static void awaitReady(Launched job) throws IOException {
        Path tool = Path.of("/tmp/.java_pid" + job.pid());
        Waiting.until(() -> !Files.exists(tool), () -> tool + " is still there");
    }

    private static long pid(Launched job, int rank) {
        return Long.parseLong(job.awaitMatch(Pattern.compile("rank " + rank + " is pid (\\d+)\\."))
                .group(1));
    }

    private static Launched run(String options) {
        return Launched.start(Launched.program("-n 4 " + options + " java", Deadlock.class));
    }
}
