package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that making and freeing communicators of each kind does not make a rank's heap, the shared memory, its mappings
 * or its open files grow beyond small limits. {@code -Dexamples.rounds=100000} sets how many of each kind are made,
 * after half as many for a start.
 */
@Tag("long")
class FreedCommunicatorsIT {
    private static final int ROUNDS = Integer.getInteger("examples.rounds", 200);
    private static final int KINDS = 14;
    /**
     * From this many rounds on, the detector's timeout is one second: the eight bytes that are kept of a freed
     * communicator go soon after twice that time, so the first of them go while the program warms up.
     */
    private static final int MANY_ROUNDS = 10_000;
    /** The limits for what a rank may hold more after the last tenth of the rounds than after the first one. */
    private static final long MOST_HEAP_BYTES = 1 << 20;

    private static final long MOST_SHARED_BYTES = 256 << 10;
    private static final long MOST_MAPPINGS = 32;
    private static final long MOST_FILES = 8;

    @TempDir
    Path directory;

    @Test
    void shouldLeaveNothingAtTwoRanks() {
        run(2);
    }

    @Tag("release")
    @Test
    void shouldLeaveNothingAtFourRanks() {
        run(4);
    }

    private void run(int ranks) {
        MpiexecRun run = MpiexecRun.inFileSystem(
                Duration.ofSeconds(120 + ROUNDS / 10 * ranks),
                directory,
                "512m",
                "-n " + ranks + " --set ulfm.transport=shm --set ulfm.shm.dir=" + directory
                        + (ROUNDS < MANY_ROUNDS ? "" : " --set ulfm.fd.timeout=1s"),
                "examples.FreedCommunicators " + directory + " " + ROUNDS);

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.err()).isEmpty();
        System.out.println(ranks + " ranks, " + ROUNDS + " of each kind: " + run.out());
        assertThat(run.out())
                .filteredOn(line -> line.startsWith("kinds "))
                .hasSize(1)
                .allSatisfy(line -> assertThat(line.split(",")).hasSize(KINDS));
        List<long[]> tenths = run.out().stream()
                .filter(line -> !line.startsWith("kinds "))
                .map(line ->
                        Stream.of(line.split(" ")).mapToLong(Long::parseLong).toArray())
                .toList();
        assertThat(tenths).hasSize(10 * ranks);
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(grown(tenths, rank, 2)).as("bytes in the heap").isLessThan(MOST_HEAP_BYTES);
            assertThat(grown(tenths, rank, 3)).as("bytes of shared memory").isLessThan(MOST_SHARED_BYTES);
            assertThat(grown(tenths, rank, 4)).as("mappings").isLessThan(MOST_MAPPINGS);
            assertThat(grown(tenths, rank, 5)).as("open files").isLessThan(MOST_FILES);
        }
    }

    /** Returns by how much a figure of a rank is larger after the last tenth of the rounds than after the first one. */
    private static long grown(List<long[]> tenths, int rank, int figure) {
        return figureOf(tenths, rank, 10, figure) - figureOf(tenths, rank, 1, figure);
    }

    private static long figureOf(List<long[]> tenths, int rank, int tenth, int figure) {
        return tenths.stream()
                .filter(line -> line[0] == rank && line[1] == tenth)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "rank " + rank + " has no tenth " + tenth + " in " + Arrays.deepToString(tenths.toArray())))[
                figure];
    }
}
