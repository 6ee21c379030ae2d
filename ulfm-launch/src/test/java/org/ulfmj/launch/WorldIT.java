package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.Launched.Ended;

/** Tests the launcher with processes of a world, each of which does only the steps named in its argument. */
class WorldIT {
    private static final String NO_FT = "--with-ft none";

    @Test
    void shouldSucceedSilentlyWhenAllFinalize() throws InterruptedException {
        Ended job = run(2, "", "0=join,goodbye", "1=join,goodbye");
        assertThat(job.exitCode()).isZero();
        assertThat(job.err()).isEmpty();
    }

    @Test
    void shouldSucceedWhenTheSurvivorsFinalizeWithoutTheOneThatWasKilled() throws InterruptedException {
        String inject = "--inject kill:rank=1@iter=3";
        String survivor = "=join,hear,goodbye:1";
        Ended job = run(3, inject, "0" + survivor, "1=join,reach", "2" + survivor);
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines()).containsExactlyInAnyOrder("0 hears death of 1", "2 hears death of 1");
        assertThat(job.err())
                .matches("mpiexec: inject: rank 1 \\(pid \\d+\\) killed at \\d+\\.\\d{3} s;"
                        + " planned at iter=3, reached at \\d+\\.\\d{3} s\n");
    }

    @Test
    void shouldKillByTheClockAfterAllHaveJoined() throws InterruptedException {
        String inject = "--inject kill:rank=0@t=100ms";
        Ended job = run(2, inject, "0=join,stay", "1=join,hear,goodbye:0");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).isEqualTo("1 hears death of 0\n");
        assertThat(job.err())
                .matches("mpiexec: inject: rank 0 \\(pid \\d+\\) killed at \\d+\\.\\d{3} s; planned at 0\\.100 s\n");
    }

    @Test
    void shouldTellADepartureFromADeathByWhatWasSaidBefore() throws InterruptedException {
        Ended job = run(2, "", "0=join,goodbye,exit:0", "1=join,hear,goodbye");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).isEqualTo("1 hears departure of 0\n");
    }

    @ParameterizedTest(name = "{0}: {1} {2} {3} -> {4}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a survivor fails after Finalize||0=join,hear,goodbye:1,exit:4|1=join,exit:7|4",
                "death that nobody held for failed||0=join,goodbye|1=join,exit:7|7",
                "nobody finalized||0=join,exit:0|1=join,exit:0|1",
                "all failed||0=join,exit:6|1=join,exit:5|6",
                "one failure without fault tolerance|" + NO_FT + "|0=join,stay|1=join,exit:7|7",
                "left without Finalize without fault tolerance|" + NO_FT + "|0=join,stay|1=join,exit:0|1",
                "all well without fault tolerance|" + NO_FT + "|0=join,goodbye|1=join,hear,goodbye|0",
                "one called abort||0=join,stay|1=join,abort:3,stay|3",
                "one called abort with 0||0=join,hear,exit:5|1=join,abort:0,exit:0|1"
            })
    void shouldJudgeTheJobByWhatTheSurvivorsSay(String name, String options, String rank0, String rank1, int code)
            throws InterruptedException {
        Ended job = run(2, options == null ? "" : options, rank0, rank1);
        assertThat(job.exitCode()).as(job.err()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"exit:0, 1", "exit:7, 7"})
    void shouldEndTheJobWhenOneEndsBeforeInitThatOthersCall(String steps, int code) throws InterruptedException {
        Ended job = run(3, "", "0=join,stay", "1=" + steps, "2=join,stay");
        assertThat(job.exitCode()).isEqualTo(code);
        assertThat(job.err()).startsWith("mpiexec: rank 1 ").contains("exited with code " + steps.substring(5));
    }

    @Test
    void shouldEndTheJobWhenOneNeverCallsInit() throws InterruptedException {
        String options = "-n 2 --set ulfm.rdzv.join=1500ms --set ulfm.rdzv.confirm=1s java";
        Ended job = Launched.run(Launched.program(options, Member.class, "0=join", "1=stay"));
        assertThat(job.exitCode()).isNotZero();
        assertThat(job.err()).contains("waited 1500 ms (ulfm.rdzv.join) for the other ranks");
    }

    @Test
    void shouldEndTheHigherOfTwoThatAnswerAndDoNotHearEachOther() throws InterruptedException {
        String survivor = "=join,hear,goodbye:2";
        String options = "--set ulfm.fd.timeout=1s";
        Ended job = run(3, options, "0" + survivor, "1" + survivor, "2=join,suspect:1,stay");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).contains("0 hears death of 2\n", "1 hears death of 2\n");
        assertThat(job.err()).contains("mpiexec: rank 2 has no path to rank 1 (both answer mpiexec) and is ended\n");
    }

    @Test
    void shouldKnowADeathWhoseProcessWasOnlyAScript() throws InterruptedException {
        String[] command = Launched.words(
                "-n 2 --inject kill:rank=1@iter=1 sh -c",
                "java -cp \"$CLASSPATH\" \"$@\"; exit $?",
                "sh",
                Member.class.getName(),
                "0=join,hear,goodbye:1",
                "1=join,reach");
        String java = System.getProperty("java.home") + "/bin:" + System.getenv("PATH");
        Ended job = Launched.start(Map.of("CLASSPATH", "target/test-classes", "PATH", java), command)
                .ended();
        assertThat(job.exitCode()).isZero();
        assertThat(job.out()).isEqualTo("0 hears death of 1\n");
    }

    private static Ended run(int size, String options, String... members) throws InterruptedException {
        return Launched.run(
                Launched.program("-n " + size + " --timeout 60 " + options + " java", Member.class, members));
    }
}
