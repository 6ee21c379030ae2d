package org.ulfmj.rendezvous.elect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.elect.Muteness.Change;

class MutenessTest {
    private final Muteness muteness = new Muteness(2_000);

    @Test
    void shouldBeginOnceOutputsAreHeldForLong() {
        assertThat(muteness.look(true, 10)).isEqualTo(Change.NONE);
        assertThat(muteness.look(true, 109)).isEqualTo(Change.NONE);
        assertThat(muteness.look(true, 110)).isEqualTo(Change.BEGINS);
        assertThat(muteness.look(true, 500)).isEqualTo(Change.NONE);
        assertThat(muteness.look(false, 501)).isEqualTo(Change.ENDS);
        assertThat(muteness.look(false, 502)).isEqualTo(Change.NONE);
    }

    @Test
    void shouldNotBeginForAShortWhile() {
        muteness.look(true, 10);
        assertThat(muteness.look(false, 60)).isEqualTo(Change.NONE);
        assertThat(muteness.look(true, 100)).isEqualTo(Change.NONE);
        assertThat(muteness.look(true, 199)).isEqualTo(Change.NONE);
    }

    @Test
    void shouldBeginWithAStandstillAndEndWithTheNextStep() {
        assertThat(muteness.stoodStill()).isEqualTo(Change.BEGINS);
        assertThat(muteness.stoodStill()).isEqualTo(Change.NONE);
        assertThat(muteness.look(false, 10)).isEqualTo(Change.ENDS);
    }
}
