package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void shouldReadRangesAndSingleNumbers() {
        assertThat(SeedRange.parse("--seeds", "1..100000")).isEqualTo(new SeedRange(1, 100_000));
        assertThat(SeedRange.parse("--ranks", "4")).isEqualTo(new SeedRange(4, 4));
    }

    @Test
    void shouldNameTheOptionWhenARangeIsNoRange() {
        assertThatThrownBy(() -> SeedRange.parse("--ranks", "2-9"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--ranks 2-9: wants a number or a range like 2..9");
    }

    @Test
    void shouldFindScenariosOfLaterModulesOnTheClassPath() {
        assertThat(Scenarios.named("flood")).hasSize(1);
        assertThatThrownBy(() -> Scenarios.named("flod"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--protocol flod: there is none; the nearest is flood, all are ");
    }
}
