package examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the soak over processes. {@code -Dsoak.runs} sets how many runs the first test makes; the other tests make a
 * fifth of that or less, but at least one.
 */
class SoakIT {
    private static final int RUNS = Integer.getInteger("soak.runs", 1);
    private static final int FEW = Math.max(1, RUNS / 5);
    private static final long MOST_SECONDS_A_RUN = 120;

    @Test
    void shouldRecoverWhenARankIsKilledAtARandomMoment() {
        soak(RUNS);
    }

    @Test
    @Tag("release")
    void shouldRecoverWhenTwoRanksAreKilled() {
        soak(FEW, "--deaths", "2");
    }

    @Test
    @Tag("release")
    void shouldFinalizeWhenARankIsKilledInFinalize() {
        soak(FEW, "--in-finalize");
    }

    @Test
    @Tag("release")
    void shouldGoOnWithoutARankThatIsStoppedForLongerThanTheTimeout() {
        soak(Math.max(1, FEW / 2), "--stop");
    }

    /**
     * Runs the soak and requires that all runs are right. The limit for a recovery is longer than an idle machine
     * needs, since the test must pass on a busy one.
     */
    private static void soak(int runs, String... more) {
        Path root = Path.of("").toAbsolutePath().getParent();
        List<String> command = new ArrayList<>(List.of(root.resolve("soak").toString(), "--limit", "10000"));
        command.addAll(List.of("--runs", Integer.toString(runs)));
        command.addAll(List.of(more));
        try {
            Path out = Files.createTempFile("soak", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            boolean hasEnded = process.waitFor(runs * MOST_SECONDS_A_RUN, TimeUnit.SECONDS);
            process.destroy();
            String text = Files.readString(out);
            Files.delete(out);
            assertThat(hasEnded).as(text).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            assertThat(text).contains("soak: " + runs + " runs, ").contains("0 hangs, 0 runs wrong");
        } catch (IOException e) {
            throw new AssertionError("cannot run " + command, e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
