package org.ulfmj.check.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EdgesTest {
    @Test
    void shouldFindNoCycleWhenWaysMeetAgain() {
        Edges edges = new Edges();
        edges.add(0, 1);
        edges.add(0, 2);
        edges.add(1, 3);
        edges.add(2, 3);
        assertThat(edges.haveCycle(4)).isFalse();
    }

    @Test
    void shouldFindTheCycleWhenAStateComesAgain() {
        Edges edges = new Edges();
        edges.add(0, 1);
        edges.add(1, 2);
        edges.add(2, 1);
        assertThat(edges.haveCycle(3)).isTrue();
    }

    @Test
    void shouldFindTheCycleWhenAStepLeadsNowhere() {
        Edges edges = new Edges();
        edges.add(0, 0);
        assertThat(edges.haveCycle(1)).isTrue();
    }
}
