package examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelloIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void shouldPrintNothingOnStderrWhenRunWithoutFlags(@TempDir Path home) {
        assertSilent(Path.of(System.getProperty("java.home")), home);
    }

    /** Is run before a release only, because {@code .ci/run} runs {@code .ci/smoke} on an installed JDK 25 anyway. */
    @Test
    @Tag("release")
    void shouldPrintNothingOnStderrWhenRunOnJdk25(@TempDir Path home) {
        Optional<Path> jdk = MpiexecRun.jdk(25);
        assumeTrue(jdk.isPresent(), "no JDK 25 installed");
        assertThat(assertSilent(jdk.get(), home).out()).allMatch(line -> line.contains("java.version 25"));
    }

    private static MpiexecRun assertSilent(Path jdk, Path home) {
        MpiexecRun run = MpiexecRun.of(
                LIMIT, Map.of("JAVA_HOME", jdk.toString(), "HOME", home.toString()), "-n", "4", "examples", "Hello");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .hasSize(4)
                .allMatch(line -> line.matches("Hello from rank [0-3] of 4: .* java.version .*"));
        return run;
    }
}
