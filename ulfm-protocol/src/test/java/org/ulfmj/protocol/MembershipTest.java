package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MembershipTest {
    @Test
    void shouldHoldFirstProcessesInEpochZero() {
        Membership world = Membership.initial(4);
        assertThat(world.epoch()).isZero();
        assertThat(world.size()).isEqualTo(4);
        assertThat(world.slots()).isEqualTo(SlotRuns.range(4));
        assertThat(world.process(3)).isEqualTo(ProcessId.of(3));
        assertThat(world.contains(ProcessId.of(3))).isTrue();
        assertThat(world.contains(ProcessId.of(4))).isFalse();
        assertThat(world).hasToString("epoch 0 [0..3]");
    }

    @Test
    void shouldTellReplacementsFromTheirPredecessors() {
        Membership next = Membership.of(2, SlotRuns.range(4), Map.of(1, 3));
        assertThat(next.incarnation(1)).isEqualTo(3);
        assertThat(next.process(1)).isEqualTo(new ProcessId(1, 3));
        assertThat(next.contains(new ProcessId(1, 3))).isTrue();
        assertThat(next.contains(new ProcessId(1, 0))).isFalse();
        assertThat(next.contains(new ProcessId(2, 0))).isTrue();
        assertThat(next).hasToString("epoch 2 [0..3] incarnations {1=3}");
    }

    @Test
    void shouldNotChangeWithTheMapItWasMadeFrom() {
        Map<Integer, Integer> incarnations = new TreeMap<>(Map.of(1, 1));
        Membership next = Membership.of(1, SlotRuns.range(4), incarnations);
        incarnations.put(1, 2);
        assertThat(next.incarnation(1)).isEqualTo(1);
    }
}
