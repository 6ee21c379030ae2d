package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneWithoutDescriptorsTest {
    @Test
    void shouldGoOnInTheNextFileWhenThereAreDescriptorsAgain() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = String.join(
                " ",
                "ulimit -n 128 && exec",
                java,
                // A thread of the compiler that opens /proc/meminfo gives a descriptor back at a wrong time.
                "-Xint -cp",
                System.getProperty("java.class.path"),
                LaneWithoutDescriptors.class.getName());
        Process other = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();

        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(other.waitFor()).as(said).isZero();
        assertThat(said).isEqualTo("broken 0, early some, missing 0");
    }
}
