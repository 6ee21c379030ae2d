package org.ulfmj.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;

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
    void shouldFindAScenarioByItsNameAndNameTheNearest() {
        assertThat(Scenarios.named("mix")).hasSize(1);
        assertThatThrownBy(() -> Scenarios.named("mixx"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--protocol mixx: there is none; the nearest is mix, all are ");
    }
}
