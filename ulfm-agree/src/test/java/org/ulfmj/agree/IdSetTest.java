package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class IdSetTest {
    @Test
    void shouldHoldWhatWasAddedAndNothingElse() {
        Random random = new Random(7);
        IdSet ids = new IdSet();
        TreeSet<Long> reference = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            // Few high bits and many low ones: places in the table are fought for.
            long id = random.nextBoolean() ? random.nextLong() : (long) random.nextInt(4) << 40 | random.nextInt(500);
            assertThat(ids.contains(id)).isEqualTo(reference.contains(id));
            assertThat(ids.add(id)).isEqualTo(reference.add(id));
        }
        assertThat(ids.size()).isEqualTo(reference.size());
        assertThat(reference).allMatch(ids::contains);
    }

    @Test
    void shouldHoldZeroToo() {
        IdSet ids = new IdSet();

        assertThat(ids.contains(0)).isFalse();
        assertThat(ids.add(0)).isTrue();
        assertThat(ids.add(0)).isFalse();
        assertThat(ids.contains(0)).isTrue();
        assertThat(ids.size()).isEqualTo(1);
    }
}
