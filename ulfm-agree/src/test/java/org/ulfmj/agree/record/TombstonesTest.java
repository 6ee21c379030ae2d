package org.ulfmj.agree.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TombstonesTest {
    private static final long KEPT = 1_000;

    @Test
    void shouldKeepAnIdForItsTimeAndUntilMoreAreAdded() {
        Tombstones tombstones = new Tombstones(KEPT);
        tombstones.add(new long[] {7, -3}, 0);
        assertThat(tombstones.contains(7)).isTrue();
        assertThat(tombstones.contains(-3)).isTrue();
        assertThat(tombstones.contains(4)).isFalse();
        tombstones.add(new long[] {4}, KEPT);
        assertThat(tombstones.contains(7)).isTrue();
        tombstones.add(new long[] {5}, KEPT + KEPT / 8);
        assertThat(tombstones.contains(7)).isFalse();
        assertThat(tombstones.size()).isEqualTo(2);
    }

    @Test
    void shouldKeepNoMoreThanWhatCameInItsTime() {
        Tombstones tombstones = new Tombstones(KEPT);
        for (int i = 0; i < 100_000; i++) {
            tombstones.add(new long[] {31L * i}, i);
            assertThat(tombstones.size()).isLessThanOrEqualTo((int) (KEPT + KEPT / 4));
        }
    }
}
