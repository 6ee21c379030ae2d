package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class RehearsalTest {
    @Test
    void shouldEndWithEverySurvivorShrunkAndFinalizedWhenPlayed() {
        assertThatCode(() -> Rehearsal.play(Rehearsal.WITHOUT_REST)).doesNotThrowAnyException();
    }
}
