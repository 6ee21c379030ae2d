package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeds that once found a bug. A change of the simulator gives the seed another schedule; the line stays all the same,
 * since what it says about the bug stays true.
 */
class RegressionSeedsTest {
    private static final String WITHOUT = "without=";

    static Stream<String> seeds() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("regression-seeds.txt"));
        return lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("seeds")
    void shouldBreakNoInvariantAnyMore(String line) {
        String[] fields = line.split("\\s+", 4);
        Schedule schedule =
                new Schedule(Scenarios.named(fields[0]).get(0), Integer.parseInt(fields[1]), Long.parseLong(fields[2]));
        String rest = fields[3];
        if (rest.startsWith(WITHOUT)) {
            String items = rest.substring(WITHOUT.length(), rest.indexOf(' '));
            schedule = schedule.with(Edits.parse(WITHOUT, items));
        }
        assertThat(schedule.run(EventLog.hashing()).violation()).isNull();
    }
}
