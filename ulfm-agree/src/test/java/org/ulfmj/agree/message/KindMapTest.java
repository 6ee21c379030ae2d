package org.ulfmj.agree.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KindMapTest {
    @Test
    void shouldBeTheMapItWasMadeOfWhateverThatHolds() {
        Random random = new Random(3);
        for (int trial = 0; trial < 500; trial++) {
            TreeMap<Kind, Integer> source = new TreeMap<>();
            for (Kind kind : Kind.values()) {
                if (random.nextInt(3) == 0) {
                    source.put(kind, random.nextInt());
                }
            }
            KindMap map = KindMap.of(source);
            assertThat(map).isEqualTo(source).hasToString(source.toString());
            assertThat(source).isEqualTo(map);
            assertThat(map.hashCode()).isEqualTo(source.hashCode());
            for (Kind kind : Kind.values()) {
                assertThat(map.get(kind)).isEqualTo(source.get(kind));
                assertThat(map.has(kind.ordinal())).isEqualTo(source.containsKey(kind));
                assertThat(map.headMap(kind)).isEqualTo(source.headMap(kind));
                assertThat(map.tailMap(kind)).isEqualTo(source.tailMap(kind));
            }
            if (!source.isEmpty()) {
                assertThat(map.firstKey()).isEqualTo(source.firstKey());
                assertThat(map.lastKey()).isEqualTo(source.lastKey());
            }
        }
    }

    @Test
    void shouldHaveNoFirstKeyWhenItIsEmpty() {
        assertThatThrownBy(KindMap.EMPTY::firstKey).isInstanceOf(NoSuchElementException.class);
        assertThat(KindMap.EMPTY.get(Kind.AGREE)).isNull();
    }

    @Test
    void shouldRefuseBitsWithoutValues() {
        assertThatThrownBy(() -> new KindMap(3, new int[1])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new KindMap(1 << Kind.values().length, new int[1]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
