package org.ulfmj.runtime.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KeyedQueuesTest {
    private static final class Entry {
        final int number;
        final KeyedQueues.Link<Entry> link = new KeyedQueues.Link<>(this);

        Entry(int number) {
            this.number = number;
        }
    }

    @Test
    void shouldKeepOneQueueAKeyInOrder() {
        KeyedQueues<Entry> queues = new KeyedQueues<>();
        Map<Long, ArrayDeque<Entry>> expected = new TreeMap<>();
        List<Entry> queued = new ArrayList<>();
        Map<Entry, Long> keys = new java.util.IdentityHashMap<>();
        Random random = new Random(42);
        for (int step = 0; step < 20_000; step++) {
            if (queued.isEmpty() || random.nextInt(5) < 3) {
                long key = KeyedQueues.key(random.nextInt(4) - 1, random.nextInt(5) - 1);
                Entry entry = new Entry(step);
                queues.append(key, entry.link);
                expected.computeIfAbsent(key, k -> new ArrayDeque<>()).add(entry);
                queued.add(entry);
                keys.put(entry, key);
            } else {
                Entry entry = queued.remove(random.nextInt(queued.size()));
                queues.remove(entry.link);
                assertThat(entry.link.isQueued()).isFalse();
                expected.get(keys.get(entry)).remove(entry);
            }
            assertThat(queues.size()).isEqualTo(queued.size());
            long probed = KeyedQueues.key(random.nextInt(4) - 1, random.nextInt(5) - 1);
            ArrayDeque<Entry> there = expected.getOrDefault(probed, new ArrayDeque<>());
            assertThat(queues.first(probed)).isSameAs(there.peek());
        }
    }

    @Test
    void shouldFindWhatIsQueuedAmongKeysThatComeAndGo() {
        KeyedQueues<Entry> queues = new KeyedQueues<>();
        Entry staying = new Entry(-1);
        queues.append(KeyedQueues.key(3, 3), staying.link);
        ArrayDeque<Entry> queued = new ArrayDeque<>();
        for (int tag = 0; tag < 20 * KeyedQueues.KEPT_EMPTY; tag++) {
            Entry entry = new Entry(tag);
            queues.append(KeyedQueues.key(0, tag), entry.link);
            queued.addLast(entry);
            if (queued.size() > KeyedQueues.KEPT_EMPTY / 2) {
                Entry oldest = queued.pollFirst();
                assertThat(queues.first(KeyedQueues.key(0, oldest.number))).isSameAs(oldest);
                queues.remove(oldest.link);
                assertThat(queues.first(KeyedQueues.key(0, oldest.number))).isNull();
            }
        }
        for (int tag = 0; tag < 20 * KeyedQueues.KEPT_EMPTY; tag++) {
            Entry again = new Entry(tag);
            boolean isThere = queues.first(KeyedQueues.key(0, tag)) != null;
            assertThat(isThere).isEqualTo(tag >= queued.peekFirst().number);
            queues.append(KeyedQueues.key(0, tag), again.link);
            assertThat(queues.first(KeyedQueues.key(0, tag)) == again).isNotEqualTo(isThere);
        }
        assertThat(queues.first(KeyedQueues.key(3, 3))).isSameAs(staying);
    }

    @Test
    void shouldTellWildcardsFromNumbers() {
        assertThat(KeyedQueues.key(-1, 0)).isNotEqualTo(KeyedQueues.key(0, -1));
        assertThat(KeyedQueues.key(0, -1)).isNotEqualTo(KeyedQueues.key(-1, -1));
        assertThat(KeyedQueues.key(1, 0)).isNotEqualTo(KeyedQueues.key(0, 1));
    }

    @Test
    void shouldIgnoreTheRemovalOfWhatIsNotQueued() {
        KeyedQueues<Entry> queues = new KeyedQueues<>();
        Entry entry = new Entry(1);
        queues.remove(entry.link);
        queues.append(7, entry.link);
        queues.remove(entry.link);
        queues.remove(entry.link);
        assertThat(queues.size()).isZero();
        assertThat(queues.first(7)).isNull();
    }
}
