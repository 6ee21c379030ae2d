package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.Launched.Ended;
import org.ulfmj.launch.end.ExitText;
import org.ulfmj.transport.host.ProcessStat;

/** Tests ways in which ranks can end, most of them in the middle of a job, and how the job ends then. */
class EndingsIT {
    private static final String EARLY = " before MPI.Finalize";
    /** The end of the line that mpiexec prints of a rank that ended early, if other ranks are left. */
    private static final String OTHERS_GO_ON = EARLY + "; the others go on\n";

    /** How long the launcher stays stopped after the file is made at which rank 1 aborts. */
    private static final long STANDSTILL_MS = 1_000;

    @TempDir
    Path directory;

    /** Rank 1 of three ends; the others learn of it, shrink and finalize, and the job is a success. */
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "return|0|''",
                "throw|1|'rank 1 ends by an uncaught exception:\nException in thread \"main\""
                        + " java.lang.IllegalStateException: thrown for a test'",
                "exit|5|''",
                "halt|7|''",
                "kill|137|''",
                "broken|120|rank 1 is broken and ends, because a wrong rank is worse than a dead one:"
                        + " java.lang.IllegalStateException: broken for a test (exit code 120)"
            })
    void shouldGoOnWithoutARankThatEnds(String how, int code, String said) throws InterruptedException {
        endInTheMiddle(how, code, said);
    }

    @Tag("release")
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "throwBesideOthers|1|Exception in thread \"main\" java.lang.IllegalStateException: thrown for a test",
                "exitElsewhere|5|''",
                "threadThrows|5|java.lang.IllegalStateException: thrown for a test",
                "direct|1|java.lang.OutOfMemoryError",
                "term|143|''",
                "brokenWhileItComputes|120|rank 1 is broken and ends, because a wrong rank is worse than a dead one:"
                        + " java.lang.IllegalStateException: broken for a test (exit code 120)"
            })
    void shouldGoOnWithoutARankThatEndsInASimilarWay(String how, int code, String said) throws InterruptedException {
        endInTheMiddle(how, code, said);
    }

    private static void endInTheMiddle(String how, int code, String said) throws InterruptedException {
        Ended job = run("--with-ft ulfm", "-XX:MaxDirectMemorySize=256m", how);
        assertSurvived(job, code, said);
    }

    @Test
    void shouldGoOnWithoutARankThatIsOutOfMemory() throws InterruptedException {
        Ended job = run("--with-ft ulfm", "-Xmx64m", "heap");
        assertSurvived(job, 3, "");
        assertThat(job.out()).contains("Terminating due to java.lang.OutOfMemoryError");
    }

    @Test
    void shouldGoOnWithoutARankThatWasStoppedForTooLong() throws InterruptedException {
        Ended job = run("--set ulfm.fd.timeout=3s", "-Xmx64m", "stop");
        assertSurvived(job, 137, "mpiexec: rank 1 was silent for 3000 ms (state T) and is ended\n");
        assertThat(job.err()).doesNotContain("\tat ");
    }

    @Test
    void shouldEndTheRestWhenItIsNoMajorityAndOneIsAskedFor() throws InterruptedException {
        String options = "-n 2 --timeout 60 --set ulfm.ft.quorum=majority";
        Ended job = run(options, "-Xmx64m", Ending.class, "kill");
        assertThat(job.exitCode()).as(job.err()).isEqualTo(118);
        assertThat(job.err())
                .contains("rank 0 is fenced and ends: of the 2 processes that the last agreement left 1 are left on"
                        + " this side, and ulfm.ft.quorum=majority lets only more than half of them go on"
                        + " (exit code 118)\n");
        assertThat(job.out()).doesNotContain("finalized");
    }

    /**
     * The survivors abort the job a moment after the death, because errors are fatal; the user must be told of the
     * death all the same.
     */
    @Test
    void shouldTellOfTheDeathThatMadeTheOthersAbort() throws InterruptedException {
        Ended job = run("--with-ft ulfm --initial-errhandler mpi_errors_are_fatal", "-Xmx64m", "kill");
        assertThat(job.exitCode()).as(job.err()).isNotZero();
        assertThat(job.err())
                .containsOnlyOnce("mpiexec: rank 1 was killed by signal 9 (KILL)" + EARLY)
                .containsPattern("mpiexec: rank [02] called abort with code ");
    }

    @Test
    void shouldGoOnWithoutARankWhoseShutdownHookHangs() throws InterruptedException {
        Ended job = run("--set ulfm.grace=1s", "-Xmx64m", "exitInAHook");
        assertSurvived(job, 1, "rank 1 ends because its shutdown hooks have not ended within 1000 ms (ulfm.grace)");
    }

    private static void assertSurvived(Ended job, int code, String said) {
        assertThat(job.exitCode()).as(job.err()).isZero();
        String err = job.err();
        assertThat(err).contains(said);
        String end = "mpiexec: rank 1 " + ExitText.of(code);
        assertThat(err).containsOnlyOnce(end);
        assertThat(err.contains(end + OTHERS_GO_ON) || err.contains(end + EARLY + "\n"))
                .as(err)
                .isTrue();
        assertThat(err).contains("mpiexec: rank 0: 0\nmpiexec: rank 1: " + code + "\nmpiexec: rank 2: 0\n");
        assertThat(job.out())
                .containsPattern("(0|2) sees barrier on COMM_WORLD[^:]*: rank 1 \\(process 1\\) has failed: ")
                .contains("0 finalized with 2\n", "2 finalized with 2\n");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "abort|3|mpiexec: rank 1 called abort with code 3; ending the job",
                "abortElsewhere|3|mpiexec: rank 1 called abort with code 259; ending the job",
                "abortInFinalize|3|mpiexec: rank 1 called abort with code 3; ending the job",
                "fatal|6|mpiexec: rank 1 called abort with code 6; ending the job",
                "beforeInit|1|mpiexec: rank 1 ended before MPI.Init (exited with code 0), and the others cannot begin"
                        + " without it; ending the job",
                "allReturn|1|mpiexec: no rank returned from MPI.Finalize"
            })
    void shouldEndTheJob(String how, int code, String said) throws InterruptedException {
        Ended job = run("--with-ft ulfm", "-Xmx64m", how);
        assertThat(job.exitCode()).as(job.err()).isEqualTo(code);
        assertThat(job.err()).containsOnlyOnce(said + "\n");
        assertThat(job.err().substring(job.err().indexOf(said)))
                .as("what needs no telling")
                .doesNotContain(EARLY);
        assertThat(job.out()).doesNotContain("finalized");
    }

    /**
     * A rank that aborts does not end before the launcher has told the other ranks. If it ended earlier, they would
     * recover from its death and go on.
     */
    @Test
    void shouldEndTheJobWhereTheLauncherHearsLateOfAnAbort() throws Exception {
        Path go = directory.resolve("go");
        String[] command = Launched.program("-n 3 --timeout 60 java -Xmx64m", Ending.class, "abort", go.toString());
        try (Launched job = Launched.start(command)) {
            job.awaitOutput("0 goes on\n");
            job.awaitOutput("2 goes on\n");
            job.signal("STOP");
            try (ProcessStat launcher = ProcessStat.open(job.pid())) {
                Waiting.until(() -> launcher.readState() == 'T', () -> "mpiexec is not stopped");
            }
            Files.createFile(go);
            Thread.sleep(STANDSTILL_MS);
            job.signal("CONT");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(3);
            assertThat(job.err()).contains("mpiexec: rank 1 called abort with code 3; ending the job\n");
            assertThat(job.out()).doesNotContain("sees", "is told");
        }
    }

    @Test
    void shouldFinalizeInAShutdownHook() throws InterruptedException {
        Ended job = run("-n 2 --timeout 60", "-Xmx64m", FinalizeInAHook.class, "-");
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"saF, 3", "Fxs, 2"})
    void shouldTellEverybodyThatRecoveryCallsAreMixed(String calls, int survivors) throws InterruptedException {
        Ended job = run("-n 3 --timeout 60", "-Xmx64m", MixedCalls.class, calls);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines())
                .hasSize(survivors)
                .allMatch(line -> line.contains(" is told: ") && line.contains("MixedCalls.java:"));
    }

    private static Ended run(String options, String vmOptions, String how) throws InterruptedException {
        return run("-n 3 --timeout 60 --print-all-exitcodes " + options, vmOptions, Ending.class, how);
    }

    private static Ended run(String options, String vmOptions, Class<?> program, String how)
            throws InterruptedException {
        return Launched.run(Launched.program(options + " java " + vmOptions, program, how));
    }
}
