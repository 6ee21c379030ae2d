package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests revocation after revocation, without deaths, in a small file system for shared memory: the shared memory of
 * revoked and freed communicators must be given back. {@code -Dexamples.rounds=1000} sets how many rounds are done.
 */
@Tag("long")
class RevokedOftenIT {
    private static final int ROUNDS = Integer.getInteger("examples.rounds", 60);
    private static final long MOST_BYTES = 64L << 20;

    @TempDir
    Path directory;

    private void run(int ranks, String size) {
        MpiexecRun run = MpiexecRun.inFileSystem(
                Duration.ofSeconds(120 + ROUNDS / 2),
                directory,
                size,
                "-n " + ranks + " --set ulfm.transport=shm --set ulfm.shm.dir=" + directory,
                "examples.RevokedOften " + directory + " " + ROUNDS);

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).hasSize(1);
        String[] words = run.out().get(0).split(" ");
        System.out.println(ranks + " ranks, " + size + ", " + ROUNDS + " rounds: at most " + words[0]
                + " bytes, through shared memory in " + words[1]);
        assertThat(Long.parseLong(words[0])).as("bytes in use").isLessThanOrEqualTo(MOST_BYTES);
        assertThat(words[1]).as("rounds through shared memory").isEqualTo(Integer.toString(ROUNDS));
    }

    @Test
    void shouldGiveBackWhatTwoRanksGiveUp() {
        run(2, "192m");
    }

    @Tag("release")
    @Test
    void shouldGiveBackWhatEightRanksGiveUpInTheFileSystemOfAContainer() {
        run(8, "64m");
    }
}
