package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessStateTest {
    @Test
    void shouldFindTheLetterBehindANameThatHoldsBracketsAndBlanks() {
        byte[] line = "4711 (a) Z (b) R 1 4711 4711".getBytes(StandardCharsets.US_ASCII);
        assertThat(ProcessState.stateOf(line, line.length)).isEqualTo('R');
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
