package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinomialGraphTest {
    @ParameterizedTest
    @CsvSource({
        "2, 1, 0",
        "3, 1 2, 0 2",
        "4, 1 2 3, 0 2 3",
        "5, 1 2 3 4, 0 2 3 4",
        "6, 1 2 4 5, 0 2 3 5",
        "7, 1 2 3 4 5 6, 0 2 3 4 5 6",
        "8, 1 2 4 6 7, 0 2 3 5 7",
        "9, 1 2 4 5 7 8, 0 2 3 5 6 8",
        "11, 1 2 3 4 7 8 9 10, 0 2 3 4 5 8 9 10",
        "13, 1 2 4 5 8 9 11 12, 0 2 3 5 6 9 10 12",
        "16, 1 2 4 8 12 14 15, 0 2 3 5 9 13 15"
    })
    void shouldHaveTheNeighboursOfTheVectors(int size, String ofZero, String ofOne) {
        assertThat(BinomialGraph.neighbours(0, size)).containsExactly(ints(ofZero));
        assertThat(BinomialGraph.neighbours(1, size)).containsExactly(ints(ofOne));
    }

    @ParameterizedTest
    @CsvSource({"8, 5", "64, 11", "100, 14", "1024, 19"})
    void shouldHaveLogarithmicDegree(int size, int degree) {
        assertThat(BinomialGraph.neighbours(size / 3, size)).hasSize(degree);
    }

    @Test
    void shouldBeSymmetric() {
        for (int size = 1; size <= 40; size++) {
            for (int index = 0; index < size; index++) {
                for (int neighbour : BinomialGraph.neighbours(index, size)) {
                    assertThat(BinomialGraph.neighbours(neighbour, size)).contains(index);
                }
            }
        }
    }

    @Test
    void shouldKnowWhoBecomesANeighbourWhenAnyOneGoes() {
        for (int size = 1; size <= 40; size++) {
            for (int index = 0; index < size; index++) {
                SortedSet<Integer> expected = new TreeSet<>();
                for (int neighbour : BinomialGraph.neighbours(index, size)) {
                    expected.add(neighbour);
                }
                for (int gone = 0; gone < size; gone++) {
                    if (gone != index) {
                        for (int survivor : BinomialGraph.neighbours(index > gone ? index - 1 : index, size - 1)) {
                            expected.add(survivor < gone ? survivor : survivor + 1);
                        }
                    }
                }
                assertThat(BinomialGraph.neighboursAfterADeath(index, size))
                        .as("index %d of %d", index, size)
                        .containsExactly(
                                expected.stream().mapToInt(Integer::intValue).toArray());
            }
        }
    }

    @Test
    void shouldHaveNoNeighbourWhenAlone() {
        assertThat(BinomialGraph.neighbours(0, 1)).isEmpty();
    }

    @Test
    void shouldNotOverflowWhenTheWorldIsHuge() {
        int size = Integer.MAX_VALUE;
        int[] neighbours = BinomialGraph.neighbours(size - 1, size);
        assertThat(neighbours).contains(0, size - 2, (1 << 30) - 1).isSorted();
        assertThat(neighbours[0]).isZero();
    }

    @Test
    void shouldRefuseAnIndexOutsideTheGraph() {
        assertThatThrownBy(() -> BinomialGraph.neighbours(4, 4)).hasMessage("index 4 in a graph of 4");
        assertThatThrownBy(() -> BinomialGraph.neighbours(-1, 4)).hasMessage("index -1 in a graph of 4");
    }

    static int[] ints(String text) {
        return Arrays.stream(text.trim().split(" +"))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    @Test
    void shouldKnowOfAnyTwoWhetherTheyAreNeighbours() {
        for (int size = 1; size <= 40; size++) {
            for (int one = 0; one < size; one++) {
                int[] neighbours = BinomialGraph.neighbours(one, size);
                for (int other = 0; other < size; other++) {
                    assertThat(BinomialGraph.areNeighbours(one, other, size))
                            .as("%d and %d of %d", one, other, size)
                            .isEqualTo(Arrays.binarySearch(neighbours, other) >= 0);
                }
            }
        }
    }
}
