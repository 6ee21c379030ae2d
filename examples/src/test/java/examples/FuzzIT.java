package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs {@code bin/ulfm-fuzz} with a short time: it gives random inputs to the parsers of what other processes, files
 * and users send or write, and each parser must take or refuse each input as it declares.
 */
class FuzzIT {
    private static final String SECONDS = "0.8";
    private static final int TARGETS = 37;

    @Test
    @Timeout(300)
    void shouldFindNoFaultInAnyParser() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("")
                                .toAbsolutePath()
                                .getParent()
                                .resolve("bin/ulfm-fuzz")
                                .toString(),
                        "--seconds",
                        SECONDS)
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process fuzz = builder.start();
        String said = new String(fuzz.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(fuzz.waitFor()).as(said).isZero();
        assertThat(said).containsPattern("\\d+ targets, 0 with a fault");
        assertThat(said.lines().filter(line -> line.contains("Fuzz "))).as(said).hasSizeGreaterThanOrEqualTo(TARGETS);
    }
}
