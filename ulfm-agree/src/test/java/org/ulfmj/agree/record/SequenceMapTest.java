package org.ulfmj.agree.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SequenceMapTest {
    @Test
    void shouldHoldWhatASortedMapHoldsWhateverIsDone() {
        Random random = new Random(11);
        SequenceMap<String> map = new SequenceMap<>();
        TreeMap<Long, String> expected = new TreeMap<>();
        for (int step = 0; step < 20_000; step++) {
            long sequence = random.nextInt(24);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    String value = "v" + step;
                    assertThat(map.add(sequence, value)).isEqualTo(expected.putIfAbsent(sequence, value) == null);
                }
                case 2 -> assertThat(map.drop(sequence)).isEqualTo(expected.remove(sequence));
                default -> {
                    long to = sequence + random.nextInt(6) - 1;
                    map.dropAll(sequence, to);
                    expected.keySet().removeIf(key -> key >= sequence && key <= to);
                }
            }
            assertThat(map).isEqualTo(expected);
            assertThat(map.at(sequence)).isEqualTo(expected.get(sequence));
            assertThat(map.has(sequence)).isEqualTo(expected.containsKey(sequence));
            if (map.size() > 0) {
                assertThat(map.sequence(0)).isEqualTo(expected.firstKey());
                assertThat(map.value(map.size() - 1))
                        .isEqualTo(expected.lastEntry().getValue());
            }
        }
    }
}
