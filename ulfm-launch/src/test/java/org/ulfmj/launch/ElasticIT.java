package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.launch.GrowthLines.awaitFirstPid;
import static org.ulfmj.launch.GrowthLines.awaitRanks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests elastic jobs, whose worlds grow, with processes that a second launcher adds to them. */
class ElasticIT {
    @TempDir
    Path directory;

    @Test
    void shouldGrowByASecondLauncherAndOutliveAMember() throws Exception {
        try (Launched job = first("-n 2:4 --host localhost:2")) {
            job.awaitOutput("2 ranks");
            try (Launched more = joining("-n 2")) {
                awaitRanks(job, 4);
                long victim = awaitFirstPid(more);
                Launched.send("KILL", victim);
                // The line for three ranks may also come from the growth to four, before the death; the wait is for the
                // last line.
                awaitRanks(job, 3);
                stop();
                assertThat(job.exitCode()).isZero();
                assertThat(job.out()).contains("right");
                assertThat(more.exitCode()).isEqualTo(137);
                assertThat(more.err()).matches("mpiexec: process [34] was killed by signal 9 \\(KILL\\)\n");
            }
        }
        assertThat(report()).as("the job is over").doesNotExist();
    }

    /**
     * Checks that processes which join a full world wait; that the death of one of them disturbs nothing, and that one
     * that still waits at the end of the job is ended without a failure.
     */
    @Test
    void shouldLetProcessesWaitWhereTheWorldIsFull() throws Exception {
        try (Launched job = first("-n 1:1 -v")) {
            job.awaitOutput("1 ranks");
            try (Launched dying = joining("-n 1");
                    Launched waiting = joining("-n 1 -v")) {
                job.awaitError("process 2 of another mpiexec");
                job.awaitError("process 3 of another mpiexec");
                long victim = awaitFirstPid(dying);
                Launched.send("KILL", victim);
                assertThat(dying.exitCode()).isEqualTo(137);
                assertThat(dying.err())
                        .contains(
                                "mpiexec: the world is full (1 of at most 1 members); what joins waits as spares until"
                                        + " there is room\n");
                job.awaitError(" is dead");
                stop();
                assertThat(job.exitCode()).isZero();
                assertThat(waiting.exitCode()).isZero();
                assertThat(waiting.err()).contains("is not needed and ends");
            }
        }
    }

    @Test
    void shouldLeaveNothingOnEitherSideWhenTheFirstLauncherIsKilled() throws Exception {
        try (Launched job = first("-n 1:2 --host localhost:1")) {
            job.awaitOutput("1 ranks");
            try (Launched more = joining("-n 1")) {
                job.awaitOutput("2 ranks");
                long ours = awaitFirstPid(job);
                long theirs = awaitFirstPid(more);
                job.signal("KILL");
                Waiting.until(
                        () -> !Waiting.isAlive(ours) && !Waiting.isAlive(theirs),
                        () -> "one of " + ours + ", " + theirs + " lives on");
                assertThat(more.exitCode()).isNotZero();
            }
            assertThat(Launched.run(Launched.program(
                            "-n 1 --join " + report() + " java",
                            Growing.class,
                            stopFile().toString())))
                    .satisfies(late -> {
                        assertThat(late.exitCode()).isEqualTo(125);
                        assertThat(late.err())
                                .isEqualTo("mpiexec: --join " + report() + ": the job is over: its mpiexec, pid "
                                        + job.pid() + ", has ended\n");
                    });
        }
    }

    /**
     * Checks that the process of a second launcher ends when that launcher is killed, and that the other members go on
     * without it.
     */
    @Test
    @Tag("release")
    void shouldEndWhatASecondLauncherHasStartedWhenThatIsKilled() throws Exception {
        try (Launched job = first("-n 1:2 --host localhost:1")) {
            job.awaitOutput("1 ranks");
            try (Launched more = joining("-n 1")) {
                job.awaitOutput("2 ranks");
                long theirs = awaitFirstPid(more);
                more.signal("KILL");
                Waiting.until(() -> !Waiting.isAlive(theirs), () -> theirs + " lives on");
            }
            stop();
            assertThat(job.exitCode()).isZero();
            assertThat(job.out()).contains("right");
        }
    }

    private Launched first(String options) {
        return Launched.start(Launched.program(
                options + " --report-uri " + report() + " java",
                Growing.class,
                stopFile().toString()));
    }

    private Launched joining(String options) {
        return Launched.start(Launched.program(
                options + " --join " + report() + " java",
                Growing.class,
                stopFile().toString()));
    }

    private Path report() {
        return directory.resolve("job");
    }

    private Path stopFile() {
        return directory.resolve("stop");
    }

    private void stop() throws IOException {
        Files.createFile(stopFile());
    }
}
