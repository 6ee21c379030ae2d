package org.ulfmj.check.exhaustive.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code Circles} finds a state that can come again after itself, and finds none where there is none. */
class CirclesTest {
    private final Circles circles = new Circles();

    @Test
    void shouldFindNoCircleWhereWaysOnlyMeet() {
        circles.step(0, 1);
        circles.step(0, 2);
        circles.step(1, 3);
        circles.step(2, 3);

        assertThat(circles.find(4)).isEqualTo(-1);
    }

    @Test
    void shouldFindACircleThatBeginsLater() {
        circles.step(0, 1);
        circles.step(1, 2);
        circles.step(2, 3);
        circles.step(3, 1);

        assertThat(circles.find(4)).isEqualTo(1);
    }

    @Test
    void shouldFindAStateThatFollowsItself() {
        circles.step(0, 1);
        circles.step(1, 1);

        assertThat(circles.find(2)).isEqualTo(1);
    }

    @Test
    void shouldRememberManySteps() {
        for (int state = 0; state < 5_000; state++) {
            circles.step(state, state + 1);
        }
        assertThat(circles.find(5_001)).isEqualTo(-1);

        circles.step(5_000, 4_000);
        assertThat(circles.find(5_001)).isEqualTo(4_000);
    }
}
