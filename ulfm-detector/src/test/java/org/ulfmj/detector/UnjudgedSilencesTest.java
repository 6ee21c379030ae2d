package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class UnjudgedSilencesTest {
    private static final ProcessId ONE = ProcessId.of(1);
    private static final ProcessId TWO = ProcessId.of(2);

    private final UnjudgedSilences silences = new UnjudgedSilences(1_000);

    @Test
    void shouldLeaveSilencesToALauncherThatAnswers() {
        silences.silent(ONE, 100);
        assertThat(silences.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(silences.takeDue(1_000_000)).isEmpty();
    }

    @Test
    void shouldMarkWhatWasSilentBeforeATimeoutAfterTheLossOfTheLauncher() {
        silences.silent(ONE, 100);
        silences.launcherLost(3_000);
        silences.launcherLost(9_000);
        assertThat(silences.nextDeadlineNs()).isEqualTo(4_000);
        assertThat(silences.takeDue(3_999)).isEmpty();
        assertThat(silences.takeDue(4_000)).containsExactly(ONE);
        assertThat(silences.takeDue(5_000)).as("it is marked once").isEmpty();
    }

    @Test
    void shouldWaitHalfATimeoutForWhatFallsSilentLater() {
        silences.launcherLost(3_000);
        silences.silent(TWO, 6_000);
        silences.silent(TWO, 6_400);
        silences.silent(ONE, 6_100);
        assertThat(silences.nextDeadlineNs()).isEqualTo(6_500);
        assertThat(silences.takeDue(6_599)).containsExactly(TWO);
        assertThat(silences.takeDue(6_600)).containsExactly(ONE);
    }

    @Test
    void shouldForgetWhatIsHeardAgain() {
        silences.launcherLost(3_000);
        silences.silent(ONE, 6_000);
        silences.drop(ONE);
        assertThat(silences.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(silences.takeDue(9_000)).isEmpty();
    }
}
