package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class BinomialTreeTest {
    @Test
    void shouldServeTheLargestSubtreeFirstThenTheMirrorImageThenTheOthers() {
        assertThat(BinomialTree.childrenFirst(0, 0, 8)).containsExactly(1, 2, 4, 7, 6);
        assertThat(BinomialTree.childrenFirst(0, 1, 8)).containsExactly(3, 5, 0, 7, 2);
        assertThat(BinomialTree.childrenFirst(5, 6, 8)).containsExactly(0, 2, 5, 4, 7);
        assertThat(BinomialTree.childrenFirst(0, 7, 8)).containsExactly(5, 3, 6, 1, 0);
    }

    @Test
    void shouldDependOnTheDistanceFromTheOriginOnly() {
        for (int size = 1; size <= 33; size++) {
            for (int origin = 0; origin < size; origin++) {
                for (int index = 0; index < size; index++) {
                    int turned = origin;
                    int members = size;
                    int[] fromZero = BinomialTree.childrenFirst(0, Math.floorMod(index - origin, size), size);
                    assertThat(BinomialTree.childrenFirst(origin, index, size))
                            .containsExactly(Arrays.stream(fromZero)
                                    .map(place -> (place + turned) % members)
                                    .toArray());
                }
            }
        }
    }

    @Test
    void shouldBeTheNeighboursInAnotherOrder() {
        for (int size = 1; size <= 33; size++) {
            for (int origin = 0; origin < size; origin++) {
                for (int index = 0; index < size; index++) {
                    int[] ordered = BinomialTree.childrenFirst(origin, index, size);
                    Arrays.sort(ordered);
                    assertThat(ordered).containsExactly(BinomialGraph.neighbours(index, size));
                }
            }
        }
    }

    /**
     * The graph holds the tree of every root, for every size up to 70: sent along tree children only, an event reaches
     * all indices, each once.
     */
    @Test
    void shouldReachEveryoneOnceOverChildrenAlone() {
        for (int size = 1; size <= 70; size++) {
            for (int origin = 0; origin < size; origin++) {
                int[] received = new int[size];
                Deque<Integer> next = new ArrayDeque<>();
                next.add(origin);
                while (!next.isEmpty()) {
                    int index = next.remove();
                    received[index]++;
                    for (int child : childrenOf(origin, index, size)) {
                        next.add(child);
                    }
                }
                assertThat(received).containsOnly(1);
            }
        }
    }

    @Test
    void shouldOrderChildrenByFallingSubtree() {
        for (int size = 2; size <= 40; size++) {
            for (int index = 0; index < size; index++) {
                int before = Integer.MAX_VALUE;
                for (int child : childrenOf(0, index, size)) {
                    int subtree = subtreeSize(child, size);
                    assertThat(subtree).isPositive().isLessThanOrEqualTo(before);
                    before = subtree;
                }
            }
        }
    }

    private static int subtreeSize(int index, int size) {
        int total = 1;
        for (int child : childrenOf(0, index, size)) {
            total += subtreeSize(child, size);
        }
        return total;
    }

    /**
     * Returns the children of an index by definition: a child without its highest bit, counted from the root, is the
     * parent.
     */
    private static int[] childrenOf(int origin, int index, int size) {
        return Arrays.stream(BinomialTree.childrenFirst(origin, index, size))
                .filter(neighbour -> {
                    int fromRoot = Math.floorMod(neighbour - origin, size);
                    return fromRoot != 0
                            && fromRoot - Integer.highestOneBit(fromRoot) == Math.floorMod(index - origin, size);
                })
                .toArray();
    }
}
