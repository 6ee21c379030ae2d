package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessStateTest {
    @Test
    void shouldFindTheLetterBehindANameThatHoldsBracketsAndBlanks() {
        byte[] line = "4711 (a) Z (b) R 1 4711 4711".getBytes(StandardCharsets.US_ASCII);
        assertThat(ProcessState.stateOf(line, line.length)).isEqualTo('R');
    }

    @ParameterizedTest
    @CsvSource({"9, 137", "139, 139", "1792, 7", "0, 0", "65280, 255"})
    void shouldReadTheExitCodeAsAShellHasIt(int status, int code) {
        byte[] line = ("4711 (java) Z 1 4711 0 0 " + status + "\n").getBytes(StandardCharsets.US_ASCII);
        assertThat(ProcessState.exitCodeOf(line, line.length)).isEqualTo(code);
    }

    @Test
    void shouldKnowNoExitCodeWhereNothingCouldBeRead() {
        assertThat(ProcessState.exitCodeOf(new byte[8], -1)).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellTheExitCodeOfWhatIsDeadAndNotWaitedForYet() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        long pid = Long.parseLong(parent.inputReader().readLine());
        ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
        try (ProcessState state = ProcessState.open(pid)) {
            long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            // A shell may wait for what it has started at any time; what it has become does not.
            while (!isOther(parent)) {
                assertThat(System.nanoTime() - deadlineNs).isNegative();
            }
            child.destroyForcibly();
            while (state.read() != 'Z') {
                assertThat(System.nanoTime() - deadlineNs).isNegative();
            }
            assertThat(state.exitCode()).isEqualTo(137);
        } finally {
            child.destroyForcibly();
            parent.destroyForcibly();
        }
    }

    private static boolean isOther(Process shell) {
        return shell.info()
                .arguments()
                .filter(arguments -> arguments.length == 1)
                .isPresent();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellThatAProcessIsGone() throws IOException {
        Process sleeper = new ProcessBuilder("sleep", "600").start();
        try (ProcessState state = ProcessState.open(sleeper.pid())) {
            assertThat(state.read()).isIn('R', 'S', 'D');
            sleeper.destroyForcibly();
            long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            char letter = state.read();
            while (letter != ProcessState.GONE && System.nanoTime() < deadlineNs) {
                letter = state.read();
            }
            assertThat(letter).isEqualTo(ProcessState.GONE);
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void shouldHaveNothingToOpenForAProcessThatDoesNotExist() {
        assertThat(ProcessState.open(Integer.MAX_VALUE)).isNull();
    }
}
