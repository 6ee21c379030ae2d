package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.Launched.Ended;

/**
 * Tests how jobs of real MPI programs end if a rank aborts, throws, exits or is killed, the time is over, or the
 * launcher is killed.
 */
class ProgramsIT {
    @TempDir
    Path directory;

    @Test
    void shouldEndWithTheCodeOfAbort() throws InterruptedException {
        Ended job = run("--timeout 60", "abort");
        assertThat(job.exitCode()).isEqualTo(3);
        assertThat(job.err()).contains("mpiexec: rank 1 called abort with code 3; ending the job\n");
    }

    @Test
    void shouldTellTheOthersWhenMainThrows() throws InterruptedException {
        Ended job = run("--timeout 60", "throw");
        assertThat(job.exitCode()).isEqualTo(1);
        assertThat(job.err()).contains("thrown for a test", "mpi.ProcFailedException: barrier on COMM_WORLD");
    }

    @Test
    void shouldEndWithTheFirstFailureWithoutFaultTolerance() throws InterruptedException {
        Ended job = run("--timeout 60 --with-ft none", "exit");
        assertThat(job.exitCode()).isEqualTo(5);
        assertThat(job.err()).contains("mpiexec: rank 1 exited with code 5; ending the job\n");
    }

    @Test
    void shouldEndWithTheSignalThatKilledARankWithoutFaultTolerance() throws InterruptedException {
        String options = "--timeout 60 --with-ft none --inject kill:rank=1@t=0s";
        Ended job = run(options, "hang");
        assertThat(job.exitCode()).isEqualTo(137);
    }

    @Test
    @Tag("long")
    void shouldShowWhereEveryRankStandsWhenTheTimeIsOver() throws InterruptedException {
        try (Launched job = Launched.untilOver(
                seconds -> Launched.start(command("--timeout " + seconds, "hang")), "1 hangs", "2 in barrier")) {
            assertThat(job.exitCode()).isEqualTo(124);
            assertThat(job.out()).contains("Full thread dump", "Behaviour.await", "mpi.Comm.barrier");
        }
    }

    @Test
    @Tag("long")
    void shouldGoOnWithoutTheLauncherWhenToldTo() throws Exception {
        Path go = directory.resolve("go");
        Path done = directory.resolve("done");
        Path jobs = Files.createDirectory(directory.resolve("jobs"));
        String[] command = Launched.program(
                "-n 3 --orphans continue java", Behaviour.class, "wait", go.toString(), done.toString());
        try (Launched job = Launched.start(Map.of("XDG_RUNTIME_DIR", jobs.toString()), command)) {
            job.awaitOutput("0 in barrier");
            job.signal("KILL");
            Files.createFile(go);
            assertThat(Launched.awaitLines(done, 3)).containsOnly("done");
            Waiting.until(() -> Waiting.isEmpty(jobs), () -> "something is left in " + jobs);
        }
    }

    private static Ended run(String options, String behaviour) throws InterruptedException {
        return Launched.run(command(options, behaviour));
    }

    private static String[] command(String options, String behaviour) {
        return Launched.program("-n 3 " + options + " java", Behaviour.class, behaviour);
    }
}
