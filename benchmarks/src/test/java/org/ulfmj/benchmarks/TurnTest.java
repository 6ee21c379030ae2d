package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.job.MeasuredJob;

/**
 * Tests the warm-up and one round of a {@link Turn}, with a rank that is a script: it answers with a fixed time per
 * operation, and notes its orders.
 */
final class TurnTest {
    private static final String RANK =
            """
            exec 3<"$3/0.in"
            echo "pid 0 $$" >"$3/out"
            while read -r work bytes settle operations <&3; do
                [ "$work" = quit ] && exit
                echo "$settle $operations" >>"$2"
                echo "time $((operations * $1))" >"$3/out"
            done
            """;

    @TempDir
    Path folder;

    @Test
    void shouldWarmUpByCount() throws Exception {
        Cell cell = new Cell("pp", 1 << 20);
        List<long[]> asked = asked(1_000, cell, false);

        assertThat(asked.get(0)[1]).isEqualTo(3);
        assertThat(warmUp(asked)).isEqualTo(cell.warmUp());
        // The last order is for a round of 50 ms in operations of 1 µs: 2,000 that settle, and 50,000 that are
        // measured.
        assertThat(asked.get(asked.size() - 1)).containsExactly(2_000, 50_000);
    }

    @Test
    void shouldCutTheWarmUpOfSlowOperationsShortByTime() throws Exception {
        long sixSeconds = warmUp(asked(20_000_000, new Cell("pp", 8), false));
        assertThat(sixSeconds).isBetween(300L, 320L);
        long twoSeconds = warmUp(asked(20_000_000, new Cell("pp", 8), true));
        assertThat(twoSeconds).isBetween(100L, 120L);
    }

    /** The measured operations of the warm-up without its last round: those of all orders but the last two. */
    private static long warmUp(List<long[]> asked) {
        return asked.stream().limit(asked.size() - 2).mapToLong(one -> one[1]).sum();
    }

    /**
     * Runs the warm-up and one round of a turn, and returns for each order how many operations the rank was asked to
     * settle with, and how many to measure.
     */
    private List<long[]> asked(long nanos, Cell cell, boolean once) throws Exception {
        Path script = Files.writeString(folder.resolve("rank"), RANK);
        Path notes = folder.resolve("notes-" + once);
        List<String> command = List.of("bash", script.toString(), Long.toString(nanos), notes.toString());
        try (MeasuredJob job = MeasuredJob.start(new JobSpec("pretender", command, Map.of(), false, once), 1)) {
            Turn turn = new Turn(job, cell, null);
            turn.warmUp(50e6);
            assertThat(turn.roughMicros()).isEqualTo(nanos / 1e3 / cell.parts());
            turn.ask();
            assertThat(turn.micros()).containsExactly(nanos / 1e3 / cell.parts());
        }
        return Files.readAllLines(notes).stream()
                .map(line -> line.split(" "))
                .map(words -> new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])})
                .toList();
    }
}
