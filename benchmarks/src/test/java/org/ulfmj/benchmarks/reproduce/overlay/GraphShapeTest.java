package org.ulfmj.benchmarks.reproduce.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GraphShapeTest {
    /** Of eight members five are one hop away from member 0 (1, 2, 4, 6, 7), and two are two (3, 5). */
    @Test
    void shouldCountNeighboursAndHops() {
        GraphShape shape = GraphShape.of(8);
        assertThat(shape.degree()).isEqualTo(5);
        assertThat(shape.diameter()).isEqualTo(2);
        assertThat(shape.meanDistance()).isEqualTo(9.0 / 7, within(1e-12));
    }

    @Test
    void shouldLookTheSameFromEveryMember() {
        for (int members = 2; members <= 40; members++) {
            for (int member = 0; member < members; member++) {
                assertThat(GraphShape.isTheSameFrom(member, members))
                        .as("member %d of %d", member, members)
                        .isTrue();
            }
        }
    }
}
