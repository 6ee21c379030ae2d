package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the speed of 8 ranks with two communicators whose shared memory is in a file system of 64 MB with that in
 * one of 1 GB; the runs alternate. {@code -Dexamples.runs=5} sets how many runs each median is of, and
 * {@code -Dexamples.ratio=0.9} sets the least speed with 64 MB, as a share of the speed with 1 GB.
 */
@Tag("release")
class TwoCommunicatorsIT {
    private static final int RUNS = Integer.getInteger("examples.runs", 1);
    private static final String ROUNDS = Integer.toString(Integer.getInteger("examples.rounds", 30));
    private static final double LEAST_RATIO = Double.parseDouble(System.getProperty("examples.ratio", "0"));

    @TempDir
    Path directory;

    private long roundNs(String size) {
        MpiexecRun run = MpiexecRun.inFileSystem(
                Duration.ofSeconds(180),
                directory,
                size,
                "-n 8 --set ulfm.transport=shm --set ulfm.shm.dir=" + directory,
                "examples.TwoCommunicators " + directory + " " + ROUNDS);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        String[] words = run.out().get(0).split(" ");
        System.out.println(size + ": " + words[0] + " ns a round, " + words[1] + " bytes in use");
        return Long.parseLong(words[0]);
    }

    private static long median(List<Long> numbers) {
        Collections.sort(numbers);
        return numbers.get(numbers.size() / 2);
    }

    @Test
    void shouldBeAboutAsFastInTheFileSystemOfAContainer() {
        List<Long> small = new ArrayList<>();
        List<Long> large = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            small.add(roundNs("64m"));
            large.add(roundNs("1g"));
        }
        double ratio = (double) median(large) / median(small);
        System.out.println("speed with 64 MB: " + ratio + " of that with 1 GB, medians of " + RUNS + " runs");
        assertThat(ratio).isGreaterThanOrEqualTo(LEAST_RATIO);
    }
}
