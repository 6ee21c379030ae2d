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
        assertThat(edges.stateOfACycle(4)).isEqualTo(-1);
    }

    @Test
    void shouldFindTheCycleWhenAStateComesAgain() {
        Edges edges = new Edges();
        edges.add(0, 1);
        edges.add(1, 2);
        edges.add(2, 1);
        edges.add(2, 3);
        edges.add(3, 4);
        assertThat(edges.stateOfACycle(5)).isEqualTo(1);
    }

    @Test
    void shouldFindTheCycleWhenAStepLeadsNowhere() {
        Edges edges = new Edges();
        edges.add(0, 0);
        assertThat(edges.stateOfACycle(1)).isZero();
    }
}
