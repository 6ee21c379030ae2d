package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.Rehearsal;

class RankRehearsalTest {
    @Test
    void shouldEndWithTheSurvivorsAgreedInACommunicatorOfTheirOwnWhenPlayed() {
        assertThatCode(() -> RankRehearsal.play(Rehearsal.WITHOUT_REST)).doesNotThrowAnyException();
        assertThatCode(() -> RankRehearsal.play(Rehearsal.WITHOUT_REST)).doesNotThrowAnyException();
    }
}
