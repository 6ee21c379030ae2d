package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LayoutTest {
    @Test
    void shouldKnowWhetherPartsHaveGaps() {
        assertThat(new Layout().packed(3, new int[] {1, 0, 2}).isPacked()).isTrue();
        assertThat(new Layout().at(3, new int[] {1, 0, 2}, new int[] {0, 50, 1}).isPacked())
                .isTrue();
        assertThat(new Layout().at(2, new int[] {1, 2}, new int[] {0, 2}).isPacked())
                .isFalse();
        assertThat(new Layout().at(2, new int[] {1, 2}, new int[] {2, 0}).isPacked())
                .isFalse();
        assertThat(new Layout().at(1, new int[] {1}, new int[] {1}).isPacked()).isFalse();
    }

    @Test
    void shouldCountBeyondTheRangeOfAnInt() {
        int most = Integer.MAX_VALUE;

        assertThat(new Layout().at(2, new int[] {most, most}, new int[] {1, 2}).total())
                .isEqualTo(2L * most);
        assertThat(new Layout().at(2, new int[] {most, most}, new int[] {1, 2}).end())
                .isEqualTo(2L + most);
    }
}
