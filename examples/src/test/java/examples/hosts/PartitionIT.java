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

/** Paths between hosts that break in silence: one side of each goes on, and the other one ends. */
class PartitionIT extends OnThreeHosts {
    private static final String NO_PATH = ", which has no path to host ";
    private static final String FENCED = "(exit code 118)";
    private static final long LEASE_MS = 3_000;
    /** Within which a rank has ended itself once its lease is over, on a machine that is idle. */
    private static final long END_MS = 1_000;
    /** What it may take longer on a machine with other work. */
    private static final long BUSY_MS = 4_000;

    /** Where each rank writes its stderr: what is said behind a cut reaches no launcher. */
    @TempDir
    private Path words;

    /** Two hosts that do not hear each other, and both hear the launcher, cost the job one of them, and no more. */
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

    /** The ranks of a host that is cut off end by themselves, with 118, before their agent would end them. */
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
        // Where ranks of a third host still reach them, they are told by those that they are held for failed.
        requireFenced(4, cutMs);
        requireFenced(5, cutMs);
    }

    /** Requires that the last words of a rank say so, and were written soon after the end of its lease. */
    private void requireFenced(int rank, long cutMs) throws IOException {
        assertThat(wordsOf(rank)).contains(FENCED);
        long tookMs =
                Files.getLastModifiedTime(words.resolve(Integer.toString(rank))).toMillis() - cutMs;
        System.out.println("rank " + rank + " has ended itself " + tookMs
                + " ms after its host was cut off, with a lease of " + LEASE_MS + " ms");
        assertThat(tookMs).isLessThan(LEASE_MS + END_MS + BUSY_MS);
    }

    /** The launcher's own host is any of the job's. */
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

    /** The side of the launcher goes on, be it the smaller one. */
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

    /** A host that comes back within the lease, but was held for failed, is ended by its agent. */
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

    /** A rank of a lost host is started again on another one, once its lease is over. */
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

    /** What was started again on a host that has lost its path to another one would lose it as well. */
    @TestTemplate
    @Tag("release")
    void shouldReplaceTheRanksOfAHostWithoutAPathOnOthers() throws IOException {
        // Else a fast machine is done before the cut is noticed.
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
