package org.ulfmj.benchmarks.reproduce.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.detector.BinomialGraph;

class VertexConnectivityTest {
    @Test
    void shouldBeOneLessThanTheMembersWhereAllAreJoined() {
        assertThat(VertexConnectivity.of(5)).isEqualTo(4);
        assertThat(VertexConnectivity.of(7)).isEqualTo(6);
    }

    /**
     * The connectivity of the graph of ten members equals the smallest cut that is found by trying all sets of failures
     * that leave two members or more.
     */
    @Test
    void shouldBeTheSmallestCutThatTryingAllOfThemFinds() {
        int members = 10;
        int smallest = members;
        for (int failed = 0; failed < 1 << members; failed++) {
            if (Integer.bitCount(failed) <= members - 2 && isCut(members, failed)) {
                smallest = Math.min(smallest, Integer.bitCount(failed));
            }
        }
        assertThat(VertexConnectivity.of(members)).isEqualTo(smallest);
    }

    private static boolean isCut(int members, int failed) {
        int survivors = (1 << members) - 1 & ~failed;
        int reached = Integer.lowestOneBit(survivors);
        for (int before = 0; before != reached; ) {
            before = reached;
            for (int member = 0; member < members; member++) {
                if ((reached >> member & 1) == 1) {
                    for (int neighbour : BinomialGraph.neighbours(member, members)) {
                        reached |= 1 << neighbour & survivors;
                    }
                }
            }
        }
        return reached != survivors;
    }
}
