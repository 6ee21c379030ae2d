package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Timing;

class AckTimerTest {
    private static final long MS = 1_000_000;

    private final AckTimer timer = new AckTimer(Timing.fromTimeout(5_000 * MS));

    @Test
    void shouldBeginWithTheOptionAndDoubleAtEachExpiryUpToTheBudget() {
        assertThat(timer.waitNs()).isEqualTo(500 * MS);
        timer.onExpired();
        assertThat(timer.waitNs()).isEqualTo(1_000 * MS);
        timer.onExpired();
        timer.onExpired();
        assertThat(timer.waitNs()).isEqualTo(3_000 * MS);
        timer.onAnswer(MS);
        assertThat(timer.waitNs()).isEqualTo(200 * MS);
    }

    @Test
    void shouldFollowTheTimesThatAcknowledgementsTake() {
        for (int i = 0; i < 50; i++) {
            timer.onAnswer((i % 2 == 0 ? 100 : 400) * MS);
        }
        assertThat(timer.waitNs()).as("more than the longest").isBetween(401 * MS, 1_500 * MS);
        for (int i = 0; i < 50; i++) {
            timer.onAnswer(MS);
        }
        assertThat(timer.waitNs()).as("not below the floor").isEqualTo(200 * MS);
        for (int i = 0; i < 50; i++) {
            timer.onAnswer(60_000 * MS);
        }
        assertThat(timer.waitNs()).as("not above half the budget").isEqualTo(1_500 * MS);
    }

    @Test
    void shouldHaveAFloorThatFollowsAShortBudget() {
        AckTimer hasty = new AckTimer(Timing.fromTimeout(500 * MS));
        hasty.onAnswer(0);
        assertThat(hasty.waitNs()).isEqualTo(50 * MS);
    }
}
