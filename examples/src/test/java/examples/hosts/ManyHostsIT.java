package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on three hosts with two ranks each, in network namespaces. */
@Timeout(180)
class ManyHostsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long HALF_A_SECOND_NS = 500_000_000;
    private static final String BEGUN = "  6 ranks ";
    private static final String ITERATIONS = "4000";
    private static final int REPETITIONS = 20;

    private Namespaces hosts;

    @BeforeEach
    void makeHosts() throws IOException {
        String obstacle = Namespaces.obstacle();
        assumeTrue(obstacle == null, obstacle);
        hosts = new Namespaces(3);
    }

    @AfterEach
    void removeHosts() throws IOException {
        if (hosts != null) {
            hosts.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("release")
    void shouldNotNoticeThatALinkWasDownForHalfASecond(boolean isIpv6) throws IOException {
        try (Ran job = digits(isIpv6)) {
            job.await(BEGUN, LIMIT);
            hosts.linkDown(1);
            LockSupport.parkNanos(HALF_A_SECOND_NS);
            hosts.linkUp(1);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 6 ranks").doesNotContain("recovered", "mpiexec:");
        }
    }

    @RepeatedTest(REPETITIONS / 2)
    @Tag("release")
    void shouldNotNoticeThatALinkWasDownForHalfASecondHoweverOften() throws IOException {
        shouldNotNoticeThatALinkWasDownForHalfASecond(false);
    }

    @RepeatedTest(REPETITIONS / 2)
    @Tag("release")
    void shouldNotNoticeThatALinkOfIpv6WasDownForHalfASecondHoweverOften() throws IOException {
        shouldNotNoticeThatALinkWasDownForHalfASecond(true);
    }

    @Test
    void shouldFinishWithoutAHostThatIsCutOff() throws IOException {
        try (Ran job = digits(false)) {
            job.await(BEGUN, LIMIT);
            hosts.linkDown(2);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 4 ranks");
            awaitNoProcess(2);
        }
    }

    @RepeatedTest(REPETITIONS)
    @Tag("release")
    void shouldFinishWithoutAHostThatIsCutOffHoweverOften() throws IOException {
        shouldFinishWithoutAHostThatIsCutOff();
    }

    /** Two hosts that do not hear each other cost the job one of them, and no more. */
    @RepeatedTest(REPETITIONS)
    @Tag("release")
    void shouldLoseOneOfTwoHostsThatDoNotReachEachOther() throws IOException {
        shouldLoseOneHost(true);
    }

    @RepeatedTest(REPETITIONS)
    @Tag("release")
    void shouldLoseOneOfTwoHostsWhereOneDoesNotReachTheOther() throws IOException {
        shouldLoseOneHost(false);
    }

    private void shouldLoseOneHost(boolean areBothDeaf) throws IOException {
        try (Ran job = digits(false)) {
            job.await(BEGUN, LIMIT);
            hosts.cut(1, 2);
            if (areBothDeaf) {
                hosts.cut(2, 1);
            }
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 4 ranks");
            awaitNoProcess(1);
            awaitNoProcess(2);
        }
    }

    @Test
    void shouldLoseTheRanksOfAnAgentThatIsKilledAndNoOthers() throws IOException {
        try (Ran job = digits(true)) {
            job.await(BEGUN, LIMIT);
            kill(agent(2));
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 4 ranks", "has lost its agent", "has an agent again");
            awaitNoProcess(1);
            awaitNoProcess(2);
        }
    }

    @RepeatedTest(REPETITIONS)
    @Tag("release")
    void shouldLoseTheRanksOfAnAgentThatIsKilledHoweverOften() throws IOException {
        shouldLoseTheRanksOfAnAgentThatIsKilledAndNoOthers();
    }

    @RepeatedTest(REPETITIONS)
    @Tag("release")
    void shouldReplaceARankWhereItWas() throws IOException {
        try (Ran job = start(
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
    @Test
    @Tag("release")
    void shouldLeaveNothingWhenMpiexecIsKilled() throws IOException {
        try (Ran job = digits(false)) {
            job.await(BEGUN, LIMIT);
            kill(launcher());
            for (int host = 0; host < 3; host++) {
                awaitNoProcess(host);
            }
        }
    }

    private Ran digits(boolean isIpv6) throws IOException {
        return start(isIpv6, "examples", "Digits", ITERATIONS);
    }

    private Ran start(boolean isIpv6, String... program) throws IOException {
        String mpiexec = Path.of("..", "bin", "mpiexec").toRealPath().toString();
        List<String> command = Ran.joined(
                hosts.on(0),
                mpiexec,
                "--host",
                "localhost:2," + hosts.name(1) + ":2," + hosts.name(2) + ":2",
                "--launcher-exec",
                "ip netns exec {host}",
                "--set",
                "ulfm.net.interface=" + (isIpv6 ? "fd77::/64" : "10.77.0.0/24"),
                "--set",
                "ulfm.fd.timeout=1s",
                "--set",
                "ulfm.rdzv.lease=3s");
        return Ran.start(Map.of("JAVA_HOME", System.getProperty("java.home")), Ran.joined(command, program));
    }

    private long launcher() throws IOException {
        return pidOf(0, "org.ulfmj.launch.Main");
    }

    private long agent(int host) throws IOException {
        return pidOf(host, "--host-agent");
    }

    private long pidOf(int host, String word) throws IOException {
        for (long pid : hosts.pids(host)) {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            if (command.contains("java\0") && List.of(command.split("\0")).contains(word)) {
                return pid;
            }
        }
        throw new AssertionError("no " + word + " among the processes of host " + host);
    }

    private static void kill(long pid) throws IOException {
        Ran.output("kill", "-KILL", Long.toString(pid));
    }

    private void awaitNoProcess(int host) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!hosts.pids(host).isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(Ran.output(
                        "ps",
                        "-fp",
                        String.join(
                                ",",
                                hosts.pids(host).stream().map(String::valueOf).toList())));
            }
            LockSupport.parkNanos(HALF_A_SECOND_NS / 10);
        }
    }
}
