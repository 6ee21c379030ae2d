package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.Launched.Ended;

/**
 * Tests failed ranks that are restarted: plain commands, and processes of {@link Member} that do only the steps named
 * in their arguments.
 */
class RestartIT {
    private static final Pattern PID = Pattern.compile("(?:rank|spare) \\d is pid (\\d+)");

    @Test
    void shouldStartAFailedCommandAgainUntilItSucceeds() throws InterruptedException {
        String script = "echo $ULFM_RANK.$ULFM_INCARNATION.$DMLC_NUM_ATTEMPT; [ $ULFM_RANK = 0 ] ||"
                + " [ $ULFM_INCARNATION = 2 ] || exit 3";
        Ended job = Launched.run(
                "-n", "2", "--max-restarts", "2", "--print-all-exitcodes", "--tag-output", "sh", "-c", script);
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(
                        "[0]<stdout>: 0.0.0", "[1]<stdout>: 1.0.0", "[1'1]<stdout>: 1.1.1", "[1'2]<stdout>: 1.2.2");
        assertThat(job.err())
                .contains("mpiexec: rank 1 exited with code 3; starting it again as 1'1 (1 of 2)\n")
                .containsPattern("mpiexec: rank 1'1 exited with code 3; starting it again as 1'2( in 0\\.\\d s)?"
                        + " \\(2 of 2\\)\n")
                .endsWith("mpiexec: rank 0: 0\nmpiexec: rank 1: 3\nmpiexec: rank 1'1: 3\nmpiexec: rank 1'2: 0\n");
    }

    @Test
    void shouldEndTheJobWhenACommandFailsOnceMoreThanItMayBeStartedAgain() throws InterruptedException {
        String script = "[ $ULFM_RANK = 1 ] && exit $((ULFM_INCARNATION + 4)); exec sleep 60";
        Ended job = Launched.run("-n", "2", "--max-restarts", "1", "sh", "-c", script);
        assertThat(job.exitCode()).isEqualTo(5);
        assertThat(job.err())
                .isEqualTo("mpiexec: rank 1 exited with code 4; starting it again as 1'1 (1 of 1)\n"
                        + "mpiexec: rank 1 is not started again: it has been started again once, as often as --max-restarts"
                        + " allows\n"
                        + "mpiexec: rank 1'1 exited with code 5; ending the job\n");
    }

    @Test
    void shouldNotStartAProgramAgainThatHasNoMainClass() throws InterruptedException {
        Ended job = Launched.run("-n", "2", "--max-restarts", "3", "java", "-cp", "target/test-classes", "NoSuchMain");
        assertThat(job.exitCode()).isEqualTo(1);
        assertThat(job.err())
                .contains("Error: Could not find or load main class NoSuchMain")
                .containsPattern("mpiexec: rank ([01]) is not started again: its class path has no class NoSuchMain\n"
                        + "mpiexec: rank \\1 exited with code 1; ending the job\n")
                .doesNotContain("starting it again");
    }

    @Test
    void shouldGiveTheInputToTheFirstProcessOfRank0Only() throws InterruptedException {
        String script = "echo life $ULFM_INCARNATION read $(wc -l); [ $ULFM_INCARNATION = 1 ]";
        Ended job = Launched.start("-n", "1", "--max-restarts", "1", "sh", "-c", script)
                .read("two\nlines\n")
                .ended();
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines()).containsExactlyInAnyOrder("life 0 read 2", "life 1 read 0");
    }

    @Test
    void shouldStartNothingAgainOnceTheJobIsBeingEnded() throws Exception {
        String script = "echo $$; exec sleep 60";
        try (Launched job = Launched.start("-n", "2", "--max-restarts", "9", "sh", "-c", script)) {
            job.awaitOutput("\n");
            job.signal("TERM");
            assertThat(job.exitCode()).isEqualTo(143);
            assertThat(job.out().lines()).hasSizeLessThanOrEqualTo(2);
            assertThat(job.err()).isEqualTo("mpiexec: got SIGTERM; ending the job\n");
        }
    }

    @Test
    void shouldPutANewProcessInThePlaceOfOneThatWasKilled() throws InterruptedException {
        String inject = "--max-restarts 1 --print-all-exitcodes --inject kill:rank=1@iter=3";
        String survivor = "=join,hear,hear,admit,goodbye";
        Ended job = run(3, inject, "0" + survivor, "1=join,reach", "1'1=join,admit,goodbye", "2" + survivor);
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(
                        "0 hears death of 1",
                        "2 hears death of 1",
                        "1'1 waits for 3 members",
                        "0 hears that 1'1 waits",
                        "2 hears that 1'1 waits");
        assertThat(job.err())
                .containsPattern("mpiexec: inject: rank 1 \\(pid \\d+\\) killed at .*\n"
                        + "mpiexec: rank 1 was killed by signal 9 \\(KILL\\); starting it again as 1'1 \\(1 of 1\\)\n")
                .endsWith("mpiexec: rank 0: 0\nmpiexec: rank 1: 137\nmpiexec: rank 1'1: 0\nmpiexec: rank 2: 0\n");
    }

    @Test
    void shouldKillThatProcessOfARankForWhichARuleIs() throws InterruptedException {
        String inject = "--max-restarts 2 --inject kill:rank=1@iter=3;kill:rank=1,inc=1@iter=3";
        String survivor = "0=join,hear,hear,admit,hear,hear,admit,goodbye";
        Ended job = run(2, inject, survivor, "1=join,reach", "1'1=join,admit,reach", "1'2=join,admit,goodbye");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).contains("0 hears death of 1\n", "0 hears death of 1'1\n", "0 hears that 1'2 waits\n");
        assertThat(job.err()).contains("inject: rank 1'1 (pid ").contains("; planned at iter=3, reached at ");
    }

    /**
     * Shows that a replacement that dies while it starts uses up a restart like any other, so there is no endless loop.
     */
    @Test
    void shouldTellTheSurvivorsThatNoProcessComesWhenRestartsAreUsedUp() throws InterruptedException {
        Ended job =
                run(2, "--max-restarts 2", "0=join,hear,hear,goodbye:1", "1=join,exit:7", "1'1=exit:7", "1'2=exit:7");
        assertThat(job.exitCode()).isZero();
        String why = "it has been started again 2 times, as often as --max-restarts allows";
        assertThat(job.out()).isEqualTo("0 hears death of 1\n0 hears no more of 1: " + why + "\n");
        assertThat(job.err())
                .endsWith(
                        "mpiexec: rank 1'2 exited with code 7 before the others took it in\nmpiexec: rank 1 is not started again: "
                                + why + "\n");
    }

    @Test
    void shouldTellTheSurvivorsAtOnceWhereNothingIsStartedAgain() throws InterruptedException {
        Ended job = run(2, "", "0=join,hear,hear,goodbye:1", "1=join,exit:7");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out())
                .endsWith("0 hears no more of 1: mpiexec was started without" + " --max-restarts and --spares\n");
        assertThat(job.err()).isEqualTo("mpiexec: rank 1 exited with code 7 before MPI.Finalize; the others go on\n");
    }

    @ParameterizedTest(name = "{0}: {1} {2} {3} -> {4}")
    @CsvSource(
            delimiter = '|',
            value = {
                "the replacement fails after Finalize|0=join,hear,hear,admit,goodbye|1=join,exit:7|1'1=join,admit,goodbye,exit:5|5",
                "the replacement dies and is held for failed|0=join,hear,hear,admit,hear,goodbye:1|1=join,exit:7|1'1=join,admit,exit:5|0",
                "the world ends without it|0=join,hear,hear,goodbye:1|1=join,exit:7|1'1=join,stay|0",
                "one that left with code 0 is not started again|0=join,hear,hear,goodbye:1|1=join,exit:0|1'1=join,stay|0",
                "the first process fails before Init|0=join,goodbye|1=exit:7|1'1=join,goodbye|0",
                "all die and begin anew|0=join,exit:6|1=join,hear,exit:7|1'1=join,gather,goodbye|0"
            })
    void shouldCountForEachRankItsMemberOfTheWorldOnly(String name, String one, String two, String three, int code)
            throws InterruptedException {
        Ended job = run(2, "--max-restarts 1", one, two, three, "0'1=join,gather,goodbye");
        assertThat(job.exitCode()).as(job.err()).isEqualTo(code);
    }

    @Test
    void shouldLetASpareTakeThePlaceAndEndTheOthers(@TempDir Path files) throws Exception {
        String options = "--spares 2 --print-all-exitcodes --tee --output-filename " + files;
        Ended job = run(2, options, "0=join,hear,hear,admit,goodbye", "1=join,exit:7", "1'1=join,admit,goodbye");
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("0 hears that 1'1 waits\n", "1'1 waits for 2 members\n");
        assertThat(job.err())
                .contains("mpiexec: rank 1 exited with code 7; a spare takes its place as 1'1\n")
                .contains("mpiexec: rank 1: 7\nmpiexec: rank 1'1: 0\n")
                .containsPattern("mpiexec: spare [12], not needed: \\d+\n");
        assertThat(Files.readString(files.resolve("rank.1.1/stdout"))).startsWith("1'1 waits for 2 members\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "continue"})
    void shouldLeaveNoSpareBehindWhenTheLauncherIsKilled(String orphans) throws Exception {
        String options = "--spares 2 --set ulfm.verbose=1 --set ulfm.fd.timeout=1s --orphans " + orphans;
        try (Launched job = Launched.start(command(2, options, "0=join,stay", "1=join,stay"))) {
            job.awaitError("spare 1 is ready");
            job.awaitError("spare 2 is ready");
            List<Long> pids = PID.matcher(job.errSoFar())
                    .results()
                    .map(found -> Long.valueOf(found.group(1)))
                    .toList();
            assertThat(pids).hasSize(4);
            job.signal("KILL");
            Waiting.until(() -> pids.stream().noneMatch(Waiting::isAlive), () -> "one of " + pids + " lives on");
        }
    }

    private static Ended run(int size, String options, String... members) throws InterruptedException {
        return Launched.run(command(size, options, members));
    }

    private static String[] command(int size, String options, String... members) {
        return Launched.program("-n " + size + " --timeout 60 " + options + " java", Member.class, members);
    }
}
