package org.ulfmj.check.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotSet;

class FingerprintTest {
    /** An object with a state that can refer to other such objects and back to itself. */
    private static final class Node {
        private final List<Object> content = new ArrayList<>();
        private Node next;
        private long count;

        private Node(Object... content) {
            this.content.addAll(List.of(content));
        }
    }

    private final Fingerprint fingerprint = new Fingerprint();

    private static Node ring(int size, long count) {
        Node first = new Node(SlotSet.of(1, 2), "text");
        Node last = first;
        for (int i = 1; i < size; i++) {
            last.next = new Node(i);
            last = last.next;
        }
        last.next = first;
        last.count = count;
        return first;
    }

    @Test
    void shouldBeEqualWhenAllThatIsReachedIsEqual() {
        assertThat(fingerprint.of(ring(3, 7))).isEqualTo(fingerprint.of(ring(3, 7)));
    }

    @Test
    void shouldDifferWhenAFieldFarAwayDiffers() {
        assertThat(fingerprint.of(ring(3, 7))).isNotEqualTo(fingerprint.of(ring(3, 8)));
        assertThat(fingerprint.of(ring(3, 7))).isNotEqualTo(fingerprint.of(ring(4, 7)));
        assertThat(fingerprint.of(ring(3, 7))).isNotEqualTo(fingerprint.of(ring(3, 7L << 32)));
    }

    @Test
    void shouldDifferWhenACollectionHasAnotherOrder() {
        assertThat(fingerprint.of(new Node(1, 2))).isNotEqualTo(fingerprint.of(new Node(2, 1)));
    }

    @Test
    void shouldRefuseAClassWhenItsStateIsNotKnownHowToBeRead() {
        Node node = new Node(new Object[] {new Thread("never started")});
        assertThatThrownBy(() -> fingerprint.of(node))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no state is known how to be read from a java.lang.Thread");
    }
}
