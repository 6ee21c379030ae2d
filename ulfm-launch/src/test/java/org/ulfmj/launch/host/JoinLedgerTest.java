package org.ulfmj.launch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinLedgerTest {
    @TempDir
    Path directory;

    @Test
    void shouldGiveEachNumberOnce() throws IOException {
        JoinLedger first = new JoinLedger(directory);
        first.create(2);
        assertThat(new JoinLedger(directory).take(9)).isEqualTo(new JoinLedger.State(2, 0));
        first.members(11);
        assertThat(new JoinLedger(directory).take(1)).isEqualTo(new JoinLedger.State(11, 11));
        first.members(4);
        assertThat(new JoinLedger(directory).take(1)).isEqualTo(new JoinLedger.State(12, 4));
        assertThat(first.takeNow(2)).isEqualTo(new JoinLedger.State(13, 4));
        assertThat(first.takeNow(1)).isEqualTo(new JoinLedger.State(15, 4));
    }

    /** File locks belong to processes, so another process plays the other launcher. */
    @Test
    void shouldTakeNothingWhileAnotherLauncherHoldsTheLock() throws Exception {
        JoinLedger first = new JoinLedger(directory);
        first.create(2);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process other = new ProcessBuilder(
                        java.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeldLock.class.getName(),
                        directory.resolve("joiners").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.getInputStream().read()).isEqualTo(HeldLock.HELD);
            assertThat(first.takeNow(1)).isNull();
            assertThatThrownBy(() -> first.take(1, 50_000_000))
                    .isInstanceOf(IOException.class)
                    .hasMessage("another mpiexec has kept the list of the processes that have joined for 50ms: it is"
                            + " stopped, or its disk is");
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(first.takeNow(1)).isEqualTo(new JoinLedger.State(2, 0));
    }

    @Test
    void shouldRefuseAFileThatIsCut() throws IOException {
        JoinLedger first = new JoinLedger(directory);
        first.create(2);
        Path file = directory.resolve("joiners");
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 10));
        assertThatThrownBy(() -> new JoinLedger(directory).take(1))
                .isInstanceOf(IOException.class)
                .hasMessage("the list of the processes that have joined is cut");
    }

    @Test
    void shouldFailWhereTheJobHasGone() {
        assertThatThrownBy(() -> new JoinLedger(directory).take(1)).isInstanceOf(IOException.class);
    }
}
