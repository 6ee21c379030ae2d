package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import examples.RunningCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests partitions, and deaths of an agent or of all ranks of a host, that a plan of faults injects. Neither network
 * namespaces nor root are needed, as the hosts of a job are agents on this machine. The detector's timeout is 1 s, the
 * lease 3 s.
 */
@Timeout(180)
class InjectedPartitionIT {
    private static final int ORPHANED = 119;
    private static final String FENCED = "(exit code 118)";
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void shouldEndOneOfTwoHostsBetweenWhichNothingPasses() throws IOException {
        try (RunningCommand job = start("partition:node=hostb/hostc@t=1s", "exit=0,dead={4,5},no-false-positive")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains("inject: partition:node=1/2@t=1s began at ", "no path to host 2");
        }
    }

    /** Host hostc is cut off from all, also from the launcher: the job loses its two ranks, and the others go on. */
    @Test
    void shouldFenceAHostThatIsCutOff() throws IOException {
        try (RunningCommand job = start("partition:node=hostc@t=1s", "exit=0,dead={4,5},no-false-positive")) {
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
        try (RunningCommand job = start(plan, "exit=0,dead={4,5},no-false-positive")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
        }
    }

    /** A partition for half of the detector's timeout: no rank dies, and the job finishes on all six ranks. */
    @Test
    @Tag("release")
    void shouldHealAShortPartition() throws IOException {
        try (RunningCommand job = start("partition:node=hostc@t=1s..1500ms", "exit=0,dead={}")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 6 ranks");
        }
    }

    @Test
    void shouldProveTheEndsOfRanksWhoseAgentIsKilled() throws IOException {
        try (RunningCommand job = start("agent-kill:node=hostc@t=1s", "exit=0,dead={4,5},no-false-positive")) {
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
        try (RunningCommand job = start("kill:node=1@t=1s", "exit=0,dead={2,3},detect<5s")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
        }
    }

    /**
     * The directory in which each rank of a job of {@link #majority} writes its output: what it writes on a host that
     * is cut off does not reach the launcher.
     */
    @TempDir
    private Path words;

    /**
     * The launcher is with the smaller part of the ranks: that part ends, and the ranks of the other hosts go on
     * without the launcher.
     */
    @Test
    void shouldLetAMajorityGoOnWithoutTheLauncher() throws IOException {
        try (RunningCommand job = majority("localhost:2,hostb:2,hostc:2")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isEqualTo(ORPHANED);
            assertThat(job.text())
                    .contains("only 2 of 6 ranks are reached, and ulfm.ft.quorum=majority lets only more than half of"
                            + " them go on; the others may do so without mpiexec");
            RunningCommand.awaitTrue(
                    () -> wordsOf(2).contains("finished "), LIMIT, () -> "end of rank 2: " + wordsOf(2));
            // The death of one of the two ranks may become known later than that of the other, after the survivors have
            // gone on without the first one.
            assertThat(wordsOf(2))
                    .containsPattern("from the death of (ranks 0, 1|rank 0|rank 1):")
                    .contains(" on 4 ranks");
        }
    }

    @Test
    void shouldLetNoneOfTwoHalvesGoOn() throws IOException {
        try (RunningCommand job = majority("localhost:2,hostb:2")) {
            assertThat(job.exitCode(LIMIT)).as(job.text()).isEqualTo(ORPHANED);
            for (int rank : new int[] {2, 3}) {
                RunningCommand.awaitTrue(() -> wordsOf(rank).contains(FENCED), LIMIT, () -> "end of rank " + rank);
            }
        }
    }

    /**
     * Starts a job with {@code ulfm.ft.quorum=majority} whose launcher's host is cut off from all others after a
     * second.
     */
    private RunningCommand majority(String hosts) throws IOException {
        String jar = Path.of("target", "examples.jar").toRealPath().toString();
        String program = "exec java -cp " + jar + ":\"$CLASSPATH\" examples.Digits 4000 >" + words + "/$ULFM_RANK 2>&1";
        return start(
                hosts,
                List.of("--set", "ulfm.ft.quorum=majority", "--inject", "partition:node=mpiexec@t=1s"),
                "sh",
                "-c",
                program);
    }

    private String wordsOf(int rank) {
        try {
            return Files.readString(words.resolve(Integer.toString(rank)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RunningCommand start(String plan, String expected) throws IOException {
        return start(
                "localhost:2,hostb:2,hostc:2",
                List.of("--inject", plan, "--expect", expected),
                "examples",
                "Digits",
                "4000");
    }

    private static RunningCommand start(String hosts, List<String> options, String... program) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of("..", "bin", "mpiexec").toRealPath().toString(),
                "--host",
                hosts,
                "--launcher-exec",
                "env HOST={host}",
                "--set",
                "ulfm.net.interface=lo",
                "--set",
                "ulfm.fd.timeout=1s",
                "--set",
                "ulfm.rdzv.lease=3s"));
        command.addAll(options);
        command.addAll(List.of(program));
        return RunningCommand.start(Map.of("JAVA_HOME", System.getProperty("java.home")), command);
    }
}
