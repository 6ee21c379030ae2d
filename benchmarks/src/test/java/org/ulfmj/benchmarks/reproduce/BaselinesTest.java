package org.ulfmj.benchmarks.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.agree.tree.TreeShape;

class BaselinesTest {
    private static final LogP COSTS = new LogP(100, 10, 10, 0);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 13, 64})
    void shouldLetEveryRankFinishEachCallOfTheAllreduce(int ranks) {
        List<RecursiveDoublingBaseline> collective = new ArrayList<>();
        int[] calls = new int[ranks];
        LogPWorld<Object> world =
                new LogPWorld<>(ranks, Network.uniform(COSTS), message -> 0, (rank, from, message) -> collective
                        .get(0)
                        .receive(rank, (RecursiveDoublingBaseline.Exchange) message));
        collective.add(new RecursiveDoublingBaseline(ranks, world, rank -> {
            if (++calls[rank] < 3) {
                collective.get(0).start(rank);
            }
        }));
        for (int rank = 0; rank < ranks; rank++) {
            world.at(7 * rank, rank, collective.get(0)::start);
        }

        world.run();

        assertThat(calls).containsOnly(3);
    }

    @Test
    void shouldTakeOneHopARoundForAnAllreduceOfAPowerOfTwo() {
        assertThat(PlainAllreduce.latencyNs(64, COSTS)).isEqualTo(6 * COSTS.hopNs());
    }

    @Test
    void shouldTakeTwoRoundTripsAndTwoLooksForTwoPhasesOfTwoRanks() {
        assertThat(new TwoPhaseAgreement(2, 5, 3, 0, 1, COSTS).latencyNs()).isEqualTo(4 * COSTS.hopNs() + 2 * 5 * 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 100, 256})
    void shouldLetParentsAndChildrenOfTheTreesOfNodesFitTogether(int size) {
        for (TreeShape shape : List.of(NodeShape.binStar(16), NodeShape.binBin(16), new StarShape())) {
            for (int place = 0; place < size; place++) {
                for (int child : shape.children(place, size)) {
                    assertThat(shape.parent(child)).isEqualTo(place).isLessThan(child);
                }
            }
            assertThat(edges(shape, size)).isEqualTo(size - 1);
        }
    }

    private static int edges(TreeShape shape, int size) {
        int edges = 0;
        for (int place = 0; place < size; place++) {
            edges += shape.children(place, size).length;
        }
        return edges;
    }
}
