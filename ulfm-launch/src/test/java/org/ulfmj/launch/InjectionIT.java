package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.Launched.Ended;
import org.ulfmj.launch.inject.Injection;

/**
 * Tests plans of faults that are carried out on real processes: which faults happen, what is reported of them, and
 * whether {@code --expect} is met.
 */
class InjectionIT {
    private static final String TCP = "--set ulfm.transport=tcp ";
    private static final String SOON = "--set ulfm.fd.timeout=1s ";

    @TempDir
    Path directory;

    @Test
    void shouldCarryOutFaultsOfProcessesAndSayWhatCameOfThem() throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        Path plan = directory.resolve("plan");
        String rules =
                "kill:rank=1@op=allreduce#3/mid;exit:rank=2,code=3@op=sendrecv#8/exit;term:rank=3@ev=dead(2)+5ms;"
                        + "oom:rank=4@iter=20;hang:rank=0@op=allreduce#5..100ms;slow:rank=0,ms=1+-1@now..1s;kill:rank=0@iter=9999";
        // The program goes on until a single rank is left, so until all faults that end a rank have happened, however
        // late the launcher is.
        Ended job = run(
                "-n 5 --inject-report --inject-log " + log + " --inject-plan " + plan
                        + " --expect exit=0,dead={1,2,3},recover<60s --inject " + rules,
                "40",
                "1",
                "1");
        assertThat(job.exitCode()).as(job.err()).isEqualTo(Injection.UNEXPECTED);
        assertThat(job.err())
                .contains("planned at op=allreduce#3/mid, reached at ")
                .contains("inject: rank 2 exits at ")
                .contains("rank 2 exited with code 3 before MPI.Finalize")
                .containsPattern("inject: rank 3 \\(pid \\d+\\) got SIGTERM at .*; planned at ev=dead\\(2\\)\\+5ms\n")
                .contains("inject: rank 4 has no memory at ")
                .contains("inject: rank 0 hangs at ")
                .contains("inject: rank 0 is slow at ")
                .contains("inject: kill:rank=0@iter=9999 never came to pass\n")
                .containsPattern("mpiexec: exit:rank=2,code=3@op=sendrecv#8/exit: rank failed; detected by \\d after"
                        + " \\d+\\.\\d ms to \\d+\\.\\d ms; recovered by \\d after \\d+\\.\\d ms\n")
                .contains("mpiexec: hang:rank=0@op=allreduce#5..100ms: rank lives\n")
                .endsWith("mpiexec: expected dead={1,2,3}, got dead={1,2,3,4}\n");
        assertThat(job.out()).contains("rank 0: 40 rounds, ");
        assertThat(Files.readAllLines(plan))
                .isEqualTo(
                        List.of(rules.replace("now", "t=0s").replace("+-", "±").split(";")));
        assertThat(Files.readString(log))
                .containsPattern(
                        "\\{\"tNanos\":\\d+,\"rule\":\"term:rank=3@ev=dead\\(2\\)\\+5ms\",\"number\":3,\"target\":\"3\","
                                + "\"planned\":\"ev=dead\\(2\\)\\+5ms\",\"actual\":\\d+,\"outcome\":\"got SIGTERM\"}\n")
                .contains("\"rule\":\"kill:rank=0@iter=9999\",\"number\":7,\"target\":\"\",\"planned\":\"iter=9999\","
                        + "\"actual\":null,\"outcome\":\"never came to pass\"}\n");
    }

    /**
     * Checks that a hang from a given time on holds the rank's first call, though no rule of the plan names a call, and
     * however short the program is.
     */
    @Test
    void shouldHoldAProgramFromATimeOn() throws InterruptedException {
        long beganNs = System.nanoTime();
        Ended job = run("-n 2 --expect exit=0,dead={} --inject hang:rank=1@now..2s", 1, 0);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(System.nanoTime() - beganNs).isGreaterThan(2_000_000_000L);
    }

    @Test
    void shouldHealAllFaultsOfLinksWithoutAFailure() throws IOException, InterruptedException {
        List<String> rules = List.of(
                "reset:link=*,ms=70,n=20@t=0s",
                "blackhole:link=0>1@t=300ms..700ms",
                "drop:link=1>2,p=0.2,n=3@t=0s",
                "dup:link=2>1,p=0.5@t=0s",
                "reorder:link=*,n=3@t=0s",
                "corrupt:link=2>0,p=0.2,n=2@t=0s",
                "delay:link=1>0,ms=2,p=0.3@t=0s",
                "throttle:link=1>2,rate=1000000B/s@t=0s..1s",
                "refuse:link=0-2@t=0s..600ms",
                "store-pause:*@t=400ms..900ms");
        String options = TCP + "-n 3 --inject-report --expect exit=0,dead={},no-false-positive --inject "
                + String.join(";", rules);
        Ended job = runUntilTold("the store pauses at ", options, 100, 5, 3);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("rank 0: 100 rounds, 0 failures").contains("rank 2: 100 rounds, 0 failures");
        for (String rule : rules) {
            assertThat(job.err()).contains("mpiexec: " + rule + ": no rank failed\n");
        }
        assertThat(job.err()).contains("envelope with a wrong checksum").doesNotContain("never came to pass");
    }

    /**
     * Rule J3: the path between ranks 1 and 2 is broken in one direction; both complain to mpiexec, and it ends one of
     * them.
     */
    @Test
    void shouldEndOneOfTwoRanksWhosePathIsGone() throws InterruptedException {
        Ended job = run(
                TCP + SOON + "-n 3 --expect exit=0,dead={2},no-false-positive --inject blackhole:link=1>2@200ms",
                60,
                5);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err()).contains("rank 2 has no path to rank 1 (both answer mpiexec) and is ended");
        assertThat(job.out()).contains("rank 0: 60 rounds, 1 failures").contains("rank 1: 60 rounds, 1 failures");
    }

    /** Checks rule J2: a rank that is silent for longer than the timeout is killed by the launcher. */
    @Tag("release")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pause:rank=2@op=allreduce#9",
                "stop:rank=2@t=300ms..60s",
                "pause:rank=2@t=300ms",
                "pause:rank=2@ev=agreed+50ms"
            })
    void shouldEndARankThatIsSilentForTooLong(String rule) throws InterruptedException {
        Ended job = run(SOON + "-n 3 --expect exit=0,dead={2},no-false-positive --inject " + rule, "60", "5", "2");
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err()).containsPattern("rank 2 was silent for \\d+ ms .* and is ended");
    }

    @Test
    void shouldDoTheSameAgainByTheSameSeed() throws IOException, InterruptedException {
        String rules = "random:*,max=2,of=kill|exit|pause,keep=0,ms=100@op=allreduce#random(25)";
        Path plan = directory.resolve("plan");
        String common = "-n 4 --expect exit=0,no-false-positive ";
        Ended first = run(common + "--inject-plan " + plan + " --inject-seed 14 --inject " + rules, 30, 1);
        Ended second = run(common + "--inject-seed 14 --inject " + rules, 30, 1);
        Ended third = run(common + "--inject-file " + plan, 30, 1);
        List<String> points = points(first);
        assertThat(points).as(first.err()).hasSize(2);
        for (Ended job : List.of(first, second, third)) {
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(points(job)).as(job.err()).isEqualTo(points);
        }
    }

    /**
     * Returns which rank met which fault at which call, sorted by rank, as the launcher may report two ranks in either
     * order.
     */
    private static List<String> points(Ended job) {
        Matcher matcher = Pattern.compile("inject: (rank \\d).* (killed|exits|pauses) at .*(planned at op=\\S+)[,\n]")
                .matcher(job.err());
        Stream.Builder<String> points = Stream.builder();
        while (matcher.find()) {
            points.add(matcher.group(1) + " " + matcher.group(2) + " " + matcher.group(3));
        }
        return points.build().sorted().toList();
    }

    @Tag("release")
    @Test
    void shouldLeaveNoProcessBehindAKilledLauncher() throws InterruptedException {
        Ended job = run("-n 2 --inject launcher-kill:*@200ms", 100_000, 5);
        assertThat(job.exitCode()).isEqualTo(137);
        // The test gets here only after the ends of stdout and stderr, so no process of the job has them open any more.
        assertThat(job.out()).doesNotContain("rounds");
    }

    static Stream<String> cells() {
        return Stream.of("sendrecv#7", "allreduce#7", "agree#1")
                .flatMap(call -> Stream.of("enter", "mid", "exit").map(part -> call + "/" + part))
                .flatMap(point -> Stream.of(0, 1, 2).map(rank -> "kill:rank=" + rank + "@op=" + point));
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("cells")
    void shouldGoOnWhereverInACallARankDies(String rule) throws IOException, InterruptedException {
        String dead = rule.substring("kill:rank=".length(), "kill:rank=".length() + 1);
        shouldEndAsExpected("-n 3 --expect exit=0,dead={" + dead + "},no-false-positive --inject " + rule);
    }

    @Tag("release")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 4 --expect exit=0,dead={1,2} --inject kill:rank=1,2@op=allreduce#9",
                "-n 4 --expect exit=0,dead={1,2} --inject kill:rank=1,succ(1)@op=sendrecv#9/mid",
                "-n 4 --expect exit=0,dead={0,1} --inject kill:rank=1@op=sendrecv#9;kill:rank=root@phase=shrink#1",
                "-n 4 --expect exit=0,dead={0,1} --inject kill:rank=0@op=agree#1;kill:rank=1@phase=agree#1",
                "-n 4 --expect exit=0,dead={1,3} --inject kill:rank=1@op=sendrecv#9;kill:rank=last@ev=dead(1)+3ms",
                "-n 4 --expect exit=0,dead={1,3} --inject kill:rank=1@op=sendrecv#9;kill:rank=3@ev=revoked",
                "-n 3 --expect exit=0,dead={},no-false-positive --inject stop:rank=1@200ms..1s",
                "-n 3 --expect exit=0,dead={},no-false-positive --inject pause:rank=1@op=agree#1/mid..1s",
                "-n 3 --expect exit=0,dead={1},no-false-positive --inject term:rank=1@300ms",
                "-n 3 --set ulfm.transport=tcp --expect exit=0,dead={},no-false-positive --inject reset:*,ms=20@now",
                "-n 3 --expect exit=0,dead={},no-false-positive --inject store-pause:*@200ms..3s"
            })
    void shouldEndAsExpected(String options) throws IOException, InterruptedException {
        Matcher sizes = Pattern.compile("-n (\\d) .*dead=\\{([\\d,]*)}.*").matcher(options);
        assertThat(sizes.matches()).isTrue();
        int dead = sizes.group(2).replace(",", "").length();
        Ended job = runUntilTold("mpiexec: inject: ", options, 60, 2, Integer.parseInt(sizes.group(1)) - dead);
        assertThat(job.exitCode()).as(options + "\n" + job.err()).isZero();
        assertThat(job.err()).doesNotContain("never came to pass");
    }

    /**
     * Runs a job that goes on at least until mpiexec has reported the fault and no more than {@code most} ranks are
     * left, however fast the ranks are, and however late mpiexec is.
     */
    private Ended runUntilTold(String fault, String options, int rounds, int restMs, int most)
            throws IOException, InterruptedException {
        Path told = directory.resolve("told");
        try (Launched job = Launched.start(Launched.program(
                options + " java",
                Injected.class,
                Integer.toString(rounds),
                Integer.toString(restMs),
                Integer.toString(most),
                told.toString()))) {
            job.awaitError(fault);
            Files.createFile(told);
            return job.ended();
        }
    }

    private static Ended run(String options, int rounds, int restMs) throws InterruptedException {
        return run(options, Integer.toString(rounds), Integer.toString(restMs));
    }

    private static Ended run(String options, String... arguments) throws InterruptedException {
        return Launched.run(Launched.program(options + " java", Injected.class, arguments));
    }
}
