package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CountTest {
    private static final long LARGE = 1L << 40;

    @Test
    void shouldHoldALong() {
        Count count = new Count(LARGE);
        assertThat(count.getCount()).isEqualTo(LARGE);
        count.setCount(-LARGE);
        assertThat(count.getCount()).isEqualTo(-LARGE);
    }

    @Test
    void shouldEqualCountsOfTheSameValue() {
        Object count = new Count(LARGE);
        assertThat(count).isEqualTo(new Count(LARGE)).hasSameHashCodeAs(new Count(LARGE));
        assertThat(count).isNotEqualTo(new Count(LARGE + 1)).isNotEqualTo(LARGE);
        assertThat(new Count(0).equals(null)).isFalse();
        assertThat(new Count(7).hashCode()).isNotEqualTo(new Count(8).hashCode());
    }

    @Test
    void shouldBeOrderedByValue() {
        Count[] counts = {new Count(LARGE), new Count(-1), new Count(Long.MIN_VALUE), new Count(3)};
        Arrays.sort(counts);
        assertThat(counts).extracting(Count::getCount).containsExactly(Long.MIN_VALUE, -1L, 3L, LARGE);
        assertThat(new Count(7).compareTo(new Count(7))).isZero();
        assertThatThrownBy(() -> new Count(7).compareTo(7L)).isInstanceOf(ClassCastException.class);
    }
}
