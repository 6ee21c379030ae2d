package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class RankRehearsalTest {
    @Test
    void shouldEndWithTheSurvivorsAgreedInACommunicatorOfTheirOwnWhenPlayed() {
        assertThatCode(RankRehearsal::play).doesNotThrowAnyException();
        assertThatCode(RankRehearsal::play).doesNotThrowAnyException();
    }
}
