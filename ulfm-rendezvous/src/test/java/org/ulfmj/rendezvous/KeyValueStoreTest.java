package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;

class KeyValueStoreTest {
    private final KeyValueStore store = new KeyValueStore();
    private final List<RendezvousMessage> sent = new ArrayList<>();
    private final Outbox<Long, RendezvousMessage> out = (nonce, message) -> sent.add(message);

    private String put(String key, int lengthBytes) {
        sent.clear();
        store.put(1, new RendezvousMessage.Put(1, key, new byte[lengthBytes]), out);
        return ((RendezvousMessage.Stored) sent.get(0)).refusal();
    }

    @Test
    void shouldRefuseLongKeysAndValuesByTheirSizes() {
        assertThat(put("k".repeat(1024), 1 << 20)).isEmpty();
        assertThat(put("k".repeat(1025), 1)).isEqualTo("key of 1025 bytes, at most 1024 allowed");
        assertThat(put("k", (1 << 20) + 1)).isEqualTo("value of 1048577 bytes for key 'k', at most 1048576 allowed");
    }

    @Test
    void shouldHold64MebibytesInAll() {
        for (int i = 0; i < 63; i++) {
            assertThat(put("key" + i, 1 << 20)).isEmpty();
        }
        assertThat(put("last", (1 << 20) - 1024)).isEmpty();
        assertThat(put("more", 1 << 20)).startsWith("the store holds ").endsWith("would exceed 67108864");
        assertThat(put("key0", 10)).as("a smaller value makes room").isEmpty();
        assertThat(put("more", 1 << 19)).isEmpty();
    }

    @Test
    void shouldReplaceAValue() {
        put("k", 4);
        put("k", 9);
        sent.clear();
        store.get(2, new RendezvousMessage.Get(3, "k"), out);
        assertThat(sent).singleElement().hasToString("Value[3, 9 bytes]");
    }

    @Test
    void shouldNotAnswerTheDead() {
        store.get(2, new RendezvousMessage.Get(3, "k"), out);
        store.get(4, new RendezvousMessage.Get(5, "k"), out);
        store.forget(2);
        put("k", 1);
        assertThat(sent.subList(1, sent.size())).singleElement().hasToString("Value[5, 1 bytes]");
    }
}
