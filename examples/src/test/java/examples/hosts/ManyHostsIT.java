package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests jobs on several hosts, mostly three with two ranks each, in network namespaces. {@code .ci/hosts} runs each
 * case 20 times, or as often as its first argument says.
 */
class ManyHostsIT extends OnThreeHosts {
    /** Options that make the detector's timeout and the lease long, for jobs in which no silence may be noticed. */
    private static final String PATIENT = "--set ulfm.fd.timeout=20s --set ulfm.rdzv.lease=60s ";

    @TestTemplate
    @Tag("release")
    void shouldNotNoticeThatALinkWasDownForHalfASecond() throws IOException {
        shouldNotNoticeThatALinkWasDown(false);
    }

    @TestTemplate
    @Tag("release")
    void shouldNotNoticeThatALinkOfIpv6WasDownForHalfASecond() throws IOException {
        shouldNotNoticeThatALinkWasDown(true);
    }

    private void shouldNotNoticeThatALinkWasDown(boolean isIpv6) throws IOException {
        try (RunningCommand job = digits(isIpv6)) {
            job.await(BEGUN, LIMIT);
            hosts.linkDown(1);
            LockSupport.parkNanos(HALF_A_SECOND_NS);
            hosts.linkUp(1);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 6 ranks").doesNotContain("recovered", "mpiexec:");
        }
    }

    @TestTemplate
    void shouldFinishWithoutAHostThatIsCutOff() throws IOException {
        try (RunningCommand job = digits(false)) {
            job.await(BEGUN, LIMIT);
            hosts.linkDown(2);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 4 ranks");
            awaitNoProcess(2);
        }
    }

    @TestTemplate
    void shouldLoseTheRanksOfAnAgentThatIsKilledAndNoOthers() throws IOException {
        try (RunningCommand job = digits(true)) {
            job.await(BEGUN, LIMIT);
            kill(agent(2));
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 4 ranks", "has lost its agent", "has an agent again");
            awaitNoProcess(1);
            awaitNoProcess(2);
        }
    }

    /**
     * {@code mpiexec} runs on one host, and all three ranks on another one. When one of these ranks is stopped, it is
     * ended for its silence, and the job finishes with the other two.
     */
    @TestTemplate
    void shouldEndAStoppedRankOfAJobOnOneHostThatIsNotTheLaunchers() throws IOException {
        try (RunningCommand job = startOn(hosts.name(1) + ":3", Map.of(), false, "examples", "Digits", ITERATIONS)) {
            job.await("  3 ranks ", LIMIT);
            signal("STOP", pidOfRank(1, 2));
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text())
                    .contains(" on 2 ranks", "rank 2 was silent for ")
                    .doesNotContain("rank 0 ", "rank 1 ", "nothing is heard of host");
            awaitNoProcess(1);
        }
    }

    @TestTemplate
    @Tag("release")
    void shouldReplaceARankWhereItWas() throws IOException {
        try (RunningCommand job = start(
                false,
                "--max-restarts",
                "1",
                "--tag-output",
                "--inject",
                "kill:rank=5@iter=10",
                "examples",
                "Replace")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains("finished   664,579 primes below 10,000,000 on 6 ranks");
        }
    }

    /** When mpiexec is killed, the agents and ranks of all hosts end. */
    @TestTemplate
    @Tag("release")
    void shouldLeaveNothingWhenMpiexecIsKilled() throws IOException {
        try (RunningCommand job = digits(false)) {
            job.await(BEGUN, LIMIT);
            kill(launcher());
            for (int host = 0; host < 3; host++) {
                awaitNoProcess(host);
            }
        }
    }

    /**
     * A batch system that takes a host back sends SIGTERM to the process that it has started there, which is the agent.
     */
    @TestTemplate
    void shouldLetTheRanksOfAnAgentThatIsTerminatedSaveTheirWork(@TempDir Path files) throws IOException {
        terminateAgent(
                files, "java -cp target/test-classes examples.hosts.Leaving FILES saving", "has left: preempted");
        assertThat(files.resolve("saved4")).exists();
        assertThat(files.resolve("saved5")).exists();
        assertThat(files.resolve("saved0")).doesNotExist();
    }

    @TestTemplate
    @Tag("release")
    void shouldLetTheRanksBehindScriptsOfAnAgentThatIsTerminatedSaveTheirWork(@TempDir Path files) throws IOException {
        Path script = Files.writeString(files.resolve("script"), "\"$@\"; exit $?");
        terminateAgent(
                files,
                "sh " + script
                        + " java -cp target/test-classes:../ulfm-launch/target/ulfm.jar examples.hosts.Leaving FILES saving",
                "has left: preempted");
        assertThat(files.resolve("saved4")).exists();
        assertThat(files.resolve("saved5")).exists();
    }

    @TestTemplate
    @Tag("release")
    void shouldGoOnWithoutTheRanksOfAnAgentThatIsTerminated(@TempDir Path files) throws IOException {
        terminateAgent(files, "java -cp target/test-classes examples.hosts.Leaving FILES", "was killed by signal 15");
    }

    private void terminateAgent(Path files, String program, String howRanksEnd) throws IOException {
        try (RunningCommand job = start(false, (PATIENT + program.replace("FILES", files.toString())).split(" "))) {
            job.await("begun", LIMIT);
            long agent = agent(2);
            signal("TERM", agent);
            // Batch systems may say it twice.
            LockSupport.parkNanos(HALF_A_SECOND_NS / 5);
            signal("TERM", agent);
            job.await("has an agent again", LIMIT);
            Files.createFile(files.resolve("enough"));
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text())
                    .contains("rank 4 " + howRanksEnd, "rank 5 " + howRanksEnd)
                    .contains("is wanted back (SIGTERM to its agent)", "has lost its agent (it was ended)")
                    .doesNotContain("rank 2 ", "rank 3 ");
            for (int rank = 0; rank < 4; rank++) {
                assertThat(files.resolve(Integer.toString(rank))).hasContent("4");
            }
            awaitNoProcess(1);
            awaitNoProcess(2);
        }
    }

    /**
     * With {@code --orphans continue}, the agents and the ranks of all hosts go on when mpiexec is killed. When they
     * have finished, no process is left, and nothing in the directory {@code XDG_RUNTIME_DIR}.
     */
    @TestTemplate
    void shouldEndTheWorkWithoutMpiexecWhereOrphansContinue(@TempDir Path files, @TempDir Path runtime)
            throws IOException {
        // The detector's timeout is only a little shorter than the lease: a busy machine may be silent for a moment.
        String program =
                "--set ulfm.fd.timeout=2500ms --orphans continue java -cp target/test-classes examples.hosts.Leaving "
                        + files;
        try (RunningCommand job = start(Map.of("XDG_RUNTIME_DIR", runtime.toString()), false, program.split(" "))) {
            job.await("begun", LIMIT);
            kill(launcher());
            // This is longer than the lease: any process that ends itself at the end of its lease has done so by now.
            LockSupport.parkNanos(10 * HALF_A_SECOND_NS);
            for (int host = 1; host < 3; host++) {
                assertThat(agent(host)).isPositive();
            }
            Files.createFile(files.resolve("enough"));
            for (int host = 0; host < 3; host++) {
                awaitNoProcess(host);
            }
            for (int rank = 0; rank < 6; rank++) {
                assertThat(files.resolve(Integer.toString(rank))).hasContent("6");
            }
            assertThat(runtime).isEmptyDirectory();
        }
    }

    /**
     * After a first SIGINT the launcher waits for a host that does not answer; two more SIGINTs of the user end the
     * wait.
     */
    @TestTemplate
    @Tag("release")
    void shouldEndAtOnceBySignalsThoughAHostDoesNotAnswer(@TempDir Path files) throws IOException {
        String program = "--set ulfm.rdzv.lease=60s --set ulfm.fd.timeout=20s --set ulfm.grace=60s"
                + " java -cp target/test-classes examples.hosts.Leaving " + files;
        try (RunningCommand job = start(false, program.split(" "))) {
            job.await("begun", LIMIT);
            signal("STOP", agent(2));
            signal("INT", launcher());
            job.await("got SIGINT", LIMIT);
            long pid = launcher();
            long beganNs = System.nanoTime();
            for (int i = 0; i < 2; i++) {
                // Linux may deliver two equal signals at the same moment as one, so there is a pause before each.
                LockSupport.parkNanos(HALF_A_SECOND_NS);
                signal("INT", pid);
            }
            assertThat(job.exitCode(LIMIT)).isEqualTo(130);
            assertThat(System.nanoTime() - beganNs).isLessThan(20 * HALF_A_SECOND_NS);
            assertThat(job.text()).contains("has not said that nothing is left there of the job");
        }
    }
}
