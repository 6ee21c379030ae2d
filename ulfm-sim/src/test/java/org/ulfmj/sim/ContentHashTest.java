package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

class ContentHashTest {
    private record Square(int side) {}

    private record Named(String name, List<Square> squares) {}

    @Test
    void shouldTellValuesApart() {
        assertThat(List.of(
                        ContentHash.of(SlotSet.of(1, 2)),
                        ContentHash.of(SlotSet.of(1, 3)),
                        ContentHash.of(SlotSet.ALL),
                        ContentHash.of(new ProcessId(1, 2)),
                        ContentHash.of(new ProcessId(2, 1)),
                        ContentHash.of(Membership.initial(3)),
                        ContentHash.of(Membership.initial(4)),
                        ContentHash.of(List.of(1, 2)),
                        ContentHash.of(List.of(2, 1)),
                        ContentHash.of(new int[] {3, 4}),
                        ContentHash.of(new TreeMap<>(Map.of(5, 6)))))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldLeaveWordsOut() {
        assertThat(ContentHash.of(new Named("a", List.of(new Square(3)))))
                .isEqualTo(ContentHash.of(new Named("b", List.of(new Square(3)))))
                .isNotEqualTo(ContentHash.of(new Named("a", List.of(new Square(4)))));
    }

    @Test
    void shouldRefuseAValueWhoseContentIsNotKnown() {
        assertThatThrownBy(() -> ContentHash.of(new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Object");
    }
}
