package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Partitions and ends of agents by a plan: no network namespaces and no root are needed, as three hosts of a job are
 * agents on this one. A detector's timeout is 1 s, a lease 3 s.
 */
@Timeout(180)
class InjectedPartitionIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void shouldEndOneOfTwoHostsBetweenWhichNothingPasses() throws IOException {
        try (Ran job = start("partition:node=hostb/hostc@t=1s", "exit=0,dead={4,5},no-false-positive")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains("inject: partition:node=1/2@t=1s began at ", "no path to host 2");
        }
    }

    /** The launcher's own lines are cut too: a host that does not hear it ends itself, and the others go on. */
    @Test
    void shouldFenceAHostThatIsCutOff() throws IOException {
        try (Ran job = start("partition:node=hostc@t=1s", "exit=0,dead={4,5},no-false-positive")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains("nothing is heard of host hostc; held for failed with it: ranks 4, 5");
        }
    }

    @Test
    @Tag("release")
    void shouldFenceAHostThatTheLauncherDoesNotHear() throws IOException {
        shouldLoseHostC("partition:node=2>mpiexec@t=1s");
    }

    @Test
    @Tag("release")
    void shouldFenceAHostThatTheLauncherDoesNotReach() throws IOException {
        shouldLoseHostC("partition:node=mpiexec>2@t=1s");
    }

    private static void shouldLoseHostC(String plan) throws IOException {
        try (Ran job = start(plan, "exit=0,dead={4,5},no-false-positive")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
        }
    }

    /** Half a timeout: nothing comes of it. */
    @Test
    @Tag("release")
    void shouldHealAShortPartition() throws IOException {
        try (Ran job = start("partition:node=hostc@t=1s..1500ms", "exit=0,dead={}")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 6 ranks");
        }
    }

    @Test
    void shouldProveTheEndsOfRanksWhoseAgentIsKilled() throws IOException {
        try (Ran job = start("agent-kill:node=hostc@t=1s", "exit=0,dead={4,5},no-false-positive")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text())
                    .contains(
                            "host hostc has lost its agent (the command that started its agent ended with code 137)",
                            "host hostc has an agent again");
        }
    }

    @Test
    @Tag("release")
    void shouldKillTheRanksOfAHost() throws IOException {
        try (Ran job = start("kill:node=1@t=1s", "exit=0,dead={2,3},detect<5s")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
        }
    }

    private static Ran start(String plan, String expected) throws IOException {
        return Ran.start(
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                List.of(
                        Path.of("..", "bin", "mpiexec").toRealPath().toString(),
                        "--host",
                        "localhost:2,hostb:2,hostc:2",
                        "--launcher-exec",
                        "env HOST={host}",
                        "--set",
                        "ulfm.net.interface=lo",
                        "--set",
                        "ulfm.fd.timeout=1s",
                        "--set",
                        "ulfm.rdzv.lease=3s",
                        "--inject",
                        plan,
                        "--expect",
                        expected,
                        "examples",
                        "Digits",
                        "4000"));
    }
}
