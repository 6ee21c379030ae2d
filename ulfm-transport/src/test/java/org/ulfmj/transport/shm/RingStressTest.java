package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link RingStress} in separate processes; {@code -Dshm.stressMillis} sets how long each iteration takes. */
@Tag("release")
@Timeout(3600)
class RingStressTest {
    private static final String MILLIS = System.getProperty("shm.stressMillis", "200");

    @TempDir
    Path directory;

    @Test
    void shouldNeverShowPartOfARecord() throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                RingStress.class.getSimpleName(),
                "-f",
                "1",
                "-fsm",
                "1",
                "-iters",
                "1",
                "-time",
                MILLIS,
                "-af",
                "NONE",
                "-sc",
                "false",
                "-hs",
                "256",
                // One set of flags of the virtual machine, its defaults, with which programs run too.
                "-jvmArgs",
                "-Xshare:auto",
                "-r",
                directory.resolve("report").toString());
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean hasEnded = process.waitFor(3000, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(output);

        assertThat(hasEnded).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text).contains("Failed tests: No matches", "Error tests: No matches");
        assertThat(text).containsPattern("All remaining tests: 3 matching");
    }
}
