package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryRehearsalTest {
    private static final Duration GENEROUS = Duration.ofSeconds(60);

    @Test
    void shouldPlayToTheEndAndLeaveNoSurvivorBehind() {
        assertTimeoutPreemptively(GENEROUS, RecoveryRehearsal::play);
        assertTimeoutPreemptively(GENEROUS, RecoveryRehearsal::play);

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("rabit-rehearsal"));
    }
}
