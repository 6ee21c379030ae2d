package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;
import waiting.Hung;

/**
 * Tests {@code ulfm.silence.limit}, {@code ulfm.silence.action} and {@code ulfm.progress.limit} with real processes.
 */
class HungIT {
    private static final String HUNG = "mpiexec: rank 1 has not called MPI for [2-9]\\.\\d s while rank 0 waits for it"
            + " \\(ulfm\\.silence\\.limit 2s\\)";
    private static final String SILENCE = "--set ulfm.silence.limit=2s --set ulfm.silence.action=";

    private static Ended run(String options, String what) throws InterruptedException {
        // The detector's timeout is as long as the limit allows: a rank that stands still for a moment is not to be
        // judged silent.
        String line = "-n 2 --timeout 60 --set ulfm.fd.timeout=1900ms --set ulfm.grace=300ms " + options + " java";
        return Launched.run(Launched.program(line, Hung.class, what));
    }

    @Test
    void shouldEndTheJobOfAHungRankWithThePage() throws InterruptedException {
        Ended ended = run(SILENCE + "abort", "outside");
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(124);
        assertThat(ended.err())
                .containsPattern("^" + HUNG + "; ending the job\nmpiexec: who waits for whom, ")
                .containsPattern("rank 0  waits for \\d\\.\\d s in barrier on COMM_WORLD for rank 1")
                .containsPattern(
                        "rank 1  is blocked for \\d\\.\\d s outside MPI, at waiting\\.Hung\\.stand\\(Hung\\.java:\\d+\\)")
                .contains("=> rank 0 waits for rank 1, which is blocked");
    }

    @Test
    void shouldKillARankThatHangsInsideAnOperatorAndLetTheOthersGoOn() throws InterruptedException {
        Ended ended = run(SILENCE + "fail", "inside");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err()).containsPattern("^" + HUNG + " and is ended\n").doesNotContain("who waits");
        assertThat(ended.out()).contains("1 runs the operator.\n", "0 goes on: true\n");
    }

    @Test
    void shouldKillARankWhoseErrorHandlerHangsAndLetTheOthersGoOn() throws InterruptedException {
        Ended ended = run(SILENCE + "fail", "handler");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err()).containsPattern("^" + HUNG + " and is ended\n");
        assertThat(ended.out()).contains("1 handles an error.\n", "0 goes on: true\n");
    }

    @Test
    @Tag("release")
    void shouldKillARankThatHangsOutsideOfMpiAndLetTheOthersGoOn() throws InterruptedException {
        Ended ended = run(SILENCE + "fail", "outside");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err()).containsPattern("^" + HUNG + " and is ended\n");
        assertThat(ended.out()).contains("0 goes on: true\n");
    }

    @Test
    @Tag("release")
    void shouldEndTheJobOfARankThatHangsInsideAnOperator() throws InterruptedException {
        Ended ended = run(SILENCE + "abort", "inside");
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(124);
        assertThat(ended.err())
                .containsPattern("^" + HUNG + "; ending the job\n")
                .contains("runs an operator of the program in reduce, at waiting.Hung.stand");
    }

    /**
     * For twice the limit all ranks compute and none waits: no line may be printed. Then rank 0 waits for rank 1, and
     * one line is printed per limit.
     */
    @Test
    @Tag("release")
    void shouldReportOnceInALimitAndOnlyWhileAnotherRankWaits() throws InterruptedException {
        Ended ended = run(SILENCE + "report", "late");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err().lines())
                .as("rank 1 stands still for 8 s while rank 0 waits: at 2, 4 and 6 s, or a little later")
                .hasSizeBetween(2, 4)
                .allMatch(line -> line.matches(HUNG.replace("[2-9]", "\\d")));
        assertThat(ended.err()).containsPattern("^" + HUNG);
        assertThat(ended.out()).contains("0 has computed by itself.\n", "1 has computed by itself.\n");
    }

    @Test
    @Tag("release")
    void shouldEndAJobInWhichNoRankGoesOn() throws InterruptedException {
        Ended ended = run("--set ulfm.silence.limit=2s --set ulfm.progress.limit=3s", "deadlock");
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(124);
        assertThat(ended.err())
                .startsWith("mpiexec: no rank has entered or left a call of MPI for 3s (ulfm.progress.limit);"
                        + " ending the job\nmpiexec: who waits for whom, ")
                .contains("=> deadlock: rank 0 waits for 1, 1 for 0\n");
    }

    /** Checks rule W3: a rank whose timeout differs from the options of the job cannot join. */
    @Test
    void shouldNotLetARankJoinThatHasOtherTimeouts() throws InterruptedException {
        Ended ended = Launched.run(
                "-n",
                "1",
                "sh",
                "-c",
                "exec " + System.getProperty("java.home")
                        + "/bin/java -Dulfm.fd.timeout=7s -cp target/ulfm.jar:target/test-classes "
                        + Hung.class.getName() + " late");
        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.err())
                .contains("system properties {ulfm.fd.timeout=7s} differ from the options of the job; all its processes"
                        + " share them, so they are given to mpiexec: --set ulfm.fd.timeout=7s");
    }
}
