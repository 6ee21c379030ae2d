package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.io.TempDir;

/** Tests paths between hosts that break: the ranks on one side of each go on, and those on the other side end. */
class PartitionIT extends OnThreeHosts {
    private static final String NO_PATH = ", which has no path to host ";
    private static final String FENCED = "(exit code 118)";
    private static final long LEASE_MS = 3_000;
    /** The time after the end of its lease within which a rank has ended itself on an idle machine. */
    private static final long END_MS = 1_000;
    /** The additional time that this may take on a busy machine. */
    private static final long BUSY_MS = 4_000;

    /**
     * The directory in which each rank of a job of {@link #tellingDigits} writes its stderr: what it writes on a host
     * that is cut off does not reach the launcher.
     */
    @TempDir
    private Path words;

    /**
     * If two hosts do not hear each other, but both hear the launcher, the job loses the ranks of exactly one of them.
     */
    @TestTemplate
    void shouldEndOneOfTwoHostsThatDoNotReachEachOther() throws IOException {
        try (RunningCommand job = digits(false)) {
            job.await(BEGUN, LIMIT);
            hosts.cut(1, 2);
            hosts.cut(2, 1);
            requireThatHostTwoAloneEnds(job);
        }
    }

    @TestTemplate
    @Tag("release")
    void shouldEndOneOfTwoHostsWhereOneDoesNotReachTheOther() throws IOException {
        try (RunningCommand job = digits(false)) {
            job.await(BEGUN, LIMIT);
            hosts.cut(1, 2);
            requireThatHostTwoAloneEnds(job);
        }
    }

    private void requireThatHostTwoAloneEnds(RunningCommand job) throws IOException {
        assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
        assertThat(job.text())
                .contains(" on 4 ranks", "rank 4 is on host 3" + NO_PATH + "2", "rank 5 is on host 3" + NO_PATH + "2")
                .doesNotContain("is on host 2", "is on host 0");
        awaitNoProcess(1);
        awaitNoProcess(2);
    }

    /**
     * The ranks of a host that is cut off from the launcher end by themselves, with exit code 118, soon after the end
     * of their lease or before it.
     */
    @TestTemplate
    @Tag("release")
    void shouldFenceTheRanksOfAHostThatDoesNotReachTheLauncher() throws IOException {
        try (RunningCommand job = tellingDigits()) {
            job.await(BEGUN, LIMIT);
            long cutMs = System.currentTimeMillis();
            hosts.cut(0, 2);
            hosts.cut(2, 0);
            requireThatHostTwoIsLost(job, cutMs);
        }
    }

    @TestTemplate
    @Tag("release")
    void shouldFenceTheRanksOfAHostThatTheLauncherDoesNotReach() throws IOException {
        try (RunningCommand job = tellingDigits()) {
            job.await(BEGUN, LIMIT);
            long cutMs = System.currentTimeMillis();
            hosts.cut(0, 2);
            requireThatHostTwoIsLost(job, cutMs);
        }
    }

    @TestTemplate
    @Tag("release")
    void shouldFenceTheRanksOfAHostThatIsNotHeard() throws IOException {
        try (RunningCommand job = tellingDigits()) {
            job.await(BEGUN, LIMIT);
            long cutMs = System.currentTimeMillis();
            hosts.cut(2, 0);
            requireThatHostTwoIsLost(job, cutMs);
        }
    }

    private void requireThatHostTwoIsLost(RunningCommand job, long cutMs) throws IOException {
        assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
        assertThat(job.text())
                .contains(
                        " on 4 ranks",
                        "nothing is heard of host " + hosts.name(2) + "; held for failed with it: ranks 4, 5");
        awaitNoProcess(2);
        // Ranks of a third host that still reach ranks 4 and 5 may tell them that they are marked failed, before their
        // lease ends.
        requireFenced(4, cutMs);
        requireFenced(5, cutMs);
    }

    /**
     * Requires that the stderr of a rank names the exit code of a fenced rank, and was last written less than 8 s (the
     * length of its lease and 5 s) after the cut.
     */
    private void requireFenced(int rank, long cutMs) throws IOException {
        assertThat(wordsOf(rank)).contains(FENCED);
        long tookMs =
                Files.getLastModifiedTime(words.resolve(Integer.toString(rank))).toMillis() - cutMs;
        System.out.println("rank " + rank + " has ended itself " + tookMs
                + " ms after its host was cut off, with a lease of " + LEASE_MS + " ms");
        assertThat(tookMs).isLessThan(LEASE_MS + END_MS + BUSY_MS);
    }

    /** The launcher runs on the second host of the job, and the first one is cut off. */
    @TestTemplate
    @Tag("release")
    void shouldLoseTheFirstHostOfAJobWhoseLauncherIsOnTheSecond() throws IOException {
        shouldLoseTheFirstHost(hosts.name(1) + ":2,localhost:2," + hosts.name(2) + ":2", 4);
    }

    /** {@code mpiexec} on a login node. */
    @TestTemplate
    @Tag("release")
    void shouldLoseTheFirstHostOfAJobWhoseLauncherIsOnNoneOfThem() throws IOException {
        shouldLoseTheFirstHost(hosts.name(1) + ":2," + hosts.name(2) + ":2", 2);
    }

    private void shouldLoseTheFirstHost(String named, int left) throws IOException {
        try (RunningCommand job = startOn(named, Map.of(), false, "examples", "Digits", ITERATIONS)) {
            job.await("  " + (left + 2) + " ranks ", LIMIT);
            hosts.linkDown(1);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text())
                    .contains(
                            " on " + left + " ranks",
                            "nothing is heard of host " + hosts.name(1) + "; held for failed with it: ranks 0, 1");
            awaitNoProcess(1);
        }
    }

    /** The side on which the launcher is goes on, even if it is the smaller one. */
    @TestTemplate
    @Tag("release")
    void shouldGoOnWithTheLaunchersHostAloneWhenThatIsCutOff() throws IOException {
        try (RunningCommand job = tellingDigits()) {
            job.await(BEGUN, LIMIT);
            long cutMs = System.currentTimeMillis();
            hosts.linkDown(0);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 2 ranks");
            for (int rank = 2; rank < 6; rank++) {
                awaitNoProcess(rank / 2);
                assertThat(wordsOf(rank)).contains("(ulfm.rdzv.lease)");
                requireFenced(rank, cutMs);
            }
        }
    }

    /** When a host that was marked failed is heard again, its ranks end, and the job finishes without them. */
    @TestTemplate
    @Tag("release")
    void shouldEndWhatWasHeldForFailedWhenItsHostIsHeardAgain() throws IOException {
        try (RunningCommand job = digits(false)) {
            job.await(BEGUN, LIMIT);
            hosts.linkDown(2);
            job.await("nothing is heard of host " + hosts.name(2), LIMIT);
            hosts.linkUp(2);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains(" on 4 ranks", "host " + hosts.name(2) + " is heard again");
            awaitNoProcess(2);
        }
    }

    /** When a host is lost, its ranks are replaced on other hosts, and the job finishes with six ranks. */
    @TestTemplate
    @Tag("release")
    void shouldReplaceTheRanksOfALostHostOnOthers() throws IOException {
        try (RunningCommand job =
                start(false, "--max-restarts", "1", "--oversubscribe", "--verbose", "examples", "Replace")) {
            job.await("all ranks joined", LIMIT);
            hosts.linkDown(2);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text())
                    .contains("nothing is heard of host " + hosts.name(2))
                    .contains("finished   664,579 primes below 10,000,000 on 6 ranks");
            awaitNoProcess(2);
        }
    }

    /**
     * The ranks of a host that has lost its path to another one are replaced on other hosts: on the same host their
     * replacements would lack the path, too.
     */
    @TestTemplate
    @Tag("release")
    void shouldReplaceTheRanksOfAHostWithoutAPathOnOthers() throws IOException {
        // Rank 0 is slowed down, since a fast machine would finish before the cut is noticed.
        List<String> options =
                List.of("--max-restarts 1 --oversubscribe --verbose --inject slow:rank=0,ms=200@now examples Replace"
                        .split(" "));
        try (RunningCommand job = start(false, options.toArray(String[]::new))) {
            job.await("all ranks joined", LIMIT);
            hosts.cut(1, 2);
            hosts.cut(2, 1);
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text())
                    .contains("rank 4 is on host 3" + NO_PATH + "2")
                    .contains("finished   664,579 primes below 10,000,000 on 6 ranks")
                    .doesNotContain("rank 4'1 is started on " + hosts.name(2))
                    .doesNotContain("is on host 2");
            awaitNoProcess(2);
        }
    }

    private RunningCommand tellingDigits() throws IOException {
        List<String> program = new ArrayList<>(List.of("sh", "-c"));
        Path jar = Path.of("target", "examples.jar").toRealPath();
        program.add("exec java -cp " + jar + ":\"$CLASSPATH\" examples.Digits " + ITERATIONS + " 2>" + words
                + "/$ULFM_RANK");
        return start(false, program.toArray(String[]::new));
    }

    private String wordsOf(int rank) throws IOException {
        return Files.readString(words.resolve(Integer.toString(rank)));
    }
}
