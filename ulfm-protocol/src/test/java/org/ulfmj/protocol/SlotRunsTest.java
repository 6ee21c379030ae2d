package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotRunsTest {
    @Test
    void shouldKeepAnyListInItsOrder() {
        Random random = new Random(11);
        for (int run = 0; run < 3_000; run++) {
            int[] slots =
                    random.ints(0, 24).distinct().limit(random.nextInt(20)).toArray();
            SlotRuns runs = SlotRuns.of(slots);

            assertThat(runs.size()).isEqualTo(slots.length);
            assertThat(runs.toArray()).containsExactly(slots);
            for (int rank = 0; rank < slots.length; rank++) {
                assertThat(runs.slot(rank)).isEqualTo(slots[rank]);
            }
            for (int slot = 0; slot < 24; slot++) {
                int wanted = slot;
                int rank = -1;
                for (int i = 0; i < slots.length; i++) {
                    rank = slots[i] == wanted ? i : rank;
                }
                assertThat(runs.rank(slot)).isEqualTo(rank);
                assertThat(runs.contains(slot)).isEqualTo(rank >= 0);
            }
            assertThat(read(runs, 24)).isEqualTo(runs).hasSameHashCodeAs(runs);
        }
    }

    @Test
    void shouldBeOneRunForRegularWorlds() {
        assertThat(SlotRuns.range(1_000_000)).hasToString("[0..999999]");
        assertThat(SlotRuns.of(0, 4, 8, 12)).hasToString("[0..12/4]");
        assertThat(SlotRuns.of(3, 2, 1, 0)).hasToString("[3..0/-1]");
        assertThat(SlotRuns.of(0, 2, 4, 6, 9)).hasToString("[0..6/2, 9]");
        assertThat(SlotRuns.of()).hasToString("[]");
    }

    @Test
    void shouldBeEqualHoweverAListWasMade() {
        for (int size = 0; size < 5; size++) {
            int[] slots = new int[size];
            Arrays.setAll(slots, slot -> slot);
            assertThat(SlotRuns.range(size)).isEqualTo(SlotRuns.of(slots));
        }
        assertThat(SlotRuns.range(3).without(SlotSet.of(1, 2))).isEqualTo(SlotRuns.range(1));
        assertThat(SlotRuns.of(0, 1)).isNotEqualTo(SlotRuns.of(1, 0));
    }

    @Test
    void shouldLeaveOutTheExcludedInTheSameOrder() {
        SlotRuns runs = SlotRuns.of(5, 3, 8, 0);
        assertThat(runs.without(SlotSet.of(3, 7)).toArray()).containsExactly(5, 8, 0);
        assertThat(runs.without(SlotSet.EMPTY)).isSameAs(runs);
        assertThat(runs.without(SlotSet.ALL).size()).isZero();
    }

    @Test
    void shouldRefuseRepeatedAndNegativeSlotsAndRanksOutside() {
        assertThatThrownBy(() -> SlotRuns.of(1, 2, 1)).hasMessage("slot 1 is negative or named twice");
        assertThatThrownBy(() -> SlotRuns.of(1, -2)).hasMessage("slot -2 is negative or named twice");
        assertThatThrownBy(() -> SlotRuns.range(4).slot(4)).hasMessage("rank 4 of 4");
        assertThatThrownBy(() -> SlotRuns.range(4).slot(-1)).hasMessage("rank -1 of 4");
    }

    @Test
    void shouldRefuseWireRunsOutOfRange() {
        assertThatThrownBy(() -> read(4, 1, 0, 1, 5)).hasMessage("run of 5 slots from 0 by 1");
        assertThatThrownBy(() -> read(4, 1, -1, 1, 2)).isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> read(4, 1, 1, -1, 3)).isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> read(4, 1, Integer.MAX_VALUE, 1, 2)).isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> read(4, 1, 0, 1, 0)).isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> read(4, 1, 7, 0, 2)).hasMessage("run that repeats slot 7");
        assertThatThrownBy(() -> read(4, 1_000_000)).hasMessage("1000000 runs do not fit into 0 bytes");
        assertThatThrownBy(() -> read(4, 2, 0, 1, 3, 5, 1, 2))
                .as("the bound is for all runs together")
                .isInstanceOf(WireFormatException.class);
    }

    private static SlotRuns read(SlotRuns runs, int maxSize) {
        WireWriter out = new WireWriter(10_000);
        runs.writeTo(out);
        WireReader in = new WireReader(out.toByteArray());
        SlotRuns copy = SlotRuns.readFrom(in, maxSize);
        in.requireEnd();
        return copy;
    }

    private static SlotRuns read(int maxSize, int... fields) {
        WireWriter out = new WireWriter(10_000);
        for (int field : fields) {
            out.putInt(field);
        }
        return SlotRuns.readFrom(new WireReader(out.toByteArray()), maxSize);
    }
}
