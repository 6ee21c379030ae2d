package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class OverlapTest {
    @Test
    void shouldFindPartsWithACommonItem() {
        assertThat(overlap(new int[] {2, 1}, new int[] {0, 1})).isEqualTo(new Overlap(0, 1));
        assertThat(overlap(new int[] {1, 1, 2}, new int[] {5, 0, 4})).isEqualTo(new Overlap(0, 2));
        // Two parts lie inside the first one, and the last of them is not its neighbour when they are sorted by begin.
        assertThat(overlap(new int[] {9, 1, 1}, new int[] {0, 2, 4})).isNotNull();
    }

    @Test
    void shouldFindNoneInPartsThatTouchOrHaveNoItems() {
        assertThat(overlap(new int[] {2, 1}, new int[] {0, 2})).isNull();
        assertThat(overlap(new int[] {2, 1}, new int[] {1, 0})).isNull();
        assertThat(overlap(new int[] {3, 0, 0}, new int[] {0, 1, 1})).isNull();
        assertThat(overlap(new int[] {1, 1}, new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1}))
                .isNull();
        assertThat(new Layout().packed(3, new int[] {2, 0, 1}).overlap()).isNull();
    }

    @Test
    void shouldAgreeWithComparingEachPairOfParts() {
        Random random = new Random(28);
        int found = 0;
        for (int round = 0; round < 2_000; round++) {
            int size = 1 + random.nextInt(5);
            int[] counts = random.ints(size, 0, 3).toArray();
            int[] displs = random.ints(size, 0, 12).toArray();
            Overlap overlap = overlap(counts, displs);
            boolean expected = false;
            for (int one = 0; one < size; one++) {
                for (int other = 0; other < one; other++) {
                    expected |= isCommon(counts, displs, one, other);
                }
            }
            assertThat(overlap != null).isEqualTo(expected);
            if (overlap != null) {
                assertThat(isCommon(counts, displs, overlap.one(), overlap.other()))
                        .isTrue();
                assertThat(overlap.one()).isLessThan(overlap.other());
                found++;
            }
        }
        assertThat(found).isBetween(200, 1_800);
    }

    private static boolean isCommon(int[] counts, int[] displs, int one, int other) {
        for (int item = displs[one]; item < displs[one] + counts[one]; item++) {
            if (item >= displs[other] && item < displs[other] + counts[other]) {
                return true;
            }
        }
        return false;
    }

    private static Overlap overlap(int[] counts, int[] displs) {
        return new Layout().at(counts.length, counts, displs).overlap();
    }
}
