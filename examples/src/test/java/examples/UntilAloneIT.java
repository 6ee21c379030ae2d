package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills ranks one after the other, in random order, until one is left. {@code -Dexamples.killEveryMs} sets the time
 * between two kills.
 */
@Tag("long")
class UntilAloneIT {
    private static final int RANKS = 16;
    private static final int KILL_EVERY_MS = Integer.getInteger("examples.killEveryMs", 300);

    @Tag("release")
    @Test
    void shouldEndWithOneOfSixteenWhenTheOthersAreKilledOneByOne() {
        String plan = IntStream.range(1, RANKS)
                .mapToObj(number -> "kill:rank=any(1)@t=" + number * KILL_EVERY_MS + "ms")
                .collect(Collectors.joining(";"));
        long startNs = System.nanoTime();
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(120), "-n " + RANKS + " --timeout 110 --inject " + plan, "examples.UntilAlone");
        System.out.printf("%s; the job took %.1f s%n", run.outText(), (System.nanoTime() - startNs) / 1e9);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .filteredOn(line -> line.matches("rank \\d+ alone after \\d+ recoveries in .*"))
                .hasSize(1);
        assertThat(run.err()).filteredOn(line -> line.contains(" killed at ")).hasSize(RANKS - 1);
    }
}
