package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.Launched.Ended;

/** Tests SIGTERM to a rank, and to mpiexec, where the program has a handler for it: {@code docs/use/endings.md}. */
class PreemptionIT {
    @Test
    void shouldLetARankLeaveThatIsTerminatedWhileItWaits() throws InterruptedException {
        // With this timeout, the others would need a minute if they noticed the death by silence only.
        String options = "-n 3 --timeout 50 --set ulfm.fd.timeout=60s --print-all-exitcodes java";
        Ended job = Launched.run(Launched.program(options, Preempted.class, "alone"));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out())
                .contains("1 has 9000 ms\n", "1 runs its hooks\n", "0 got 7\n")
                .containsPattern("0 met .*mpiexec: it has left: preempted, \\d+ ms ago")
                .containsPattern("2 met .*mpiexec: it has left: preempted, \\d+ ms ago");
        assertThat(job.err())
                .containsOnlyOnce("mpiexec: rank 1 has left: preempted")
                .contains("mpiexec: rank 1: 75\n")
                .doesNotContain("Exception");
    }

    /**
     * A rank whose handler does not return in time has left all the same. As the signal was sent to the rank alone, the
     * launcher does not kill it.
     */
    @Test
    void shouldSayThatARankHasLeftWhoseHandlerWasNotDoneInTime() throws InterruptedException {
        String options = "-n 3 --timeout 60 --set ulfm.grace=1s --print-all-exitcodes java";
        Ended job = Launched.run(Launched.program(options, Preempted.class, "aloneForEver"));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("0 met ", "2 met ");
        assertThat(job.err())
                .contains(
                        "mpiexec: rank 1 has left: preempted, and its handler was not done within 900 ms (ulfm.grace)")
                .contains("mpiexec: rank 1: 143\n");
    }

    @Test
    void shouldStartAPreemptedRankAgainWithoutCountingIt() throws InterruptedException {
        String options = "-n 2 --timeout 110 --max-restarts 1 java";
        Ended job = Launched.run(Launched.program(options, Preempted.class, "replaced"));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("0 ended after 0\n", "1 ended after 3\n");
        assertThat(job.err())
                .contains("mpiexec: rank 1 has left: preempted; starting it again as 1'1, which does not count as a"
                        + " restart\n")
                .contains("mpiexec: rank 1'2 has left: preempted; starting it again as 1'3, which does not count as"
                        + " a restart\n");
    }

    /** Each rank runs behind a script. The signal ends the script at once, and the rank handles the signal. */
    @Test
    void shouldLetRanksBehindScriptsThatDieOfTheSignalSaveTheirWork() throws Exception {
        String java = "java -cp target/test-classes:target/ulfm.jar " + Preempted.class.getName() + " slow";
        String[] words = Launched.words("-n 2 --set ulfm.grace=60s sh -c", "\"$@\"; exit $?", "sh");
        try (Launched job = Launched.start(
                Stream.of(words, java.split(" ")).flatMap(Stream::of).toArray(String[]::new))) {
            job.awaitOutput("ready");
            job.signal("TERM");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(75);
            assertThat(job.out()).contains("0 has saved\n", "1 has saved\n");
            assertThat(job.err())
                    .contains("mpiexec: rank 0 has left: preempted", "mpiexec: rank 1 has left: preempted");
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "all|75|mpiexec: rank 1 has left: preempted",
                "none|143|mpiexec: rank 1 was killed by signal 15 (TERM)",
                "throw|143|java.io.IOException: thrown for a test",
                "hang|143|mpiexec: got SIGTERM; ending the job",
                "finish|143|mpiexec: got SIGTERM; ending the job"
            })
    void shouldEndAJobWhoseRanksHandleTheSignal(String how, int code, String said) throws Exception {
        // The grace time is short only where a handler hangs, as only that test waits until it has passed.
        String grace = how.equals("hang") ? "3s" : "60s";
        String[] words = Launched.program("-n 2 --set ulfm.grace=" + grace + " java", Preempted.class, how);
        try (Launched job = Launched.start(words)) {
            job.awaitOutput("ready");
            job.signal("TERM");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(code);
            assertThat(job.out()).contains("0 checkpoints\n");
            assertThat(job.err()).contains(said);
        }
    }
}
