package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PlacementTest {
    @Test
    void shouldNumberHostsByTheirLowestSlots() {
        Placement placement = Placement.of(SlotRuns.of(2, 3, 7, 9), new long[] {40, 10, 10, 40});
        assertThat(placement.host(2)).isZero();
        assertThat(placement.host(3)).isEqualTo(1);
        assertThat(placement.host(7)).isEqualTo(1);
        assertThat(placement.host(9)).isZero();
        assertThat(placement).hasToString("2@0 3@1 9@0");
        assertThat(placement.areOnOneHost(SlotRuns.of(9, 2))).isTrue();
        assertThat(placement.areOnOneHost(SlotRuns.of(7, 2))).isFalse();
        assertThat(placement.areOnOneHost(SlotRuns.of())).isTrue();
    }

    @Test
    void shouldBeOneHostWhenAllKeysAreEqual() {
        assertThat(Placement.of(SlotRuns.range(3), new long[] {7, 7, 7})).isSameAs(Placement.ONE_HOST);
        assertThat(Placement.of(SlotRuns.of(), new long[0])).isSameAs(Placement.ONE_HOST);
        assertThat(Placement.ONE_HOST.host(99)).isZero();
        assertThat(Placement.ONE_HOST).hasToString("one host");
        assertThat(Membership.initial(4).placement()).isSameAs(Placement.ONE_HOST);
    }

    @Test
    void shouldKeepWhichMembersShareAHost() {
        Random random = new Random(1);
        for (int trial = 0; trial < 300; trial++) {
            int size = 1 + random.nextInt(20);
            int[] slots = new int[size];
            long[] keys = new long[size];
            for (int place = 0; place < size; place++) {
                slots[place] = (place == 0 ? 0 : slots[place - 1]) + 1 + random.nextInt(3);
                keys[place] = random.nextInt(4);
            }
            Placement placement = Placement.of(SlotRuns.of(slots), keys);
            for (int one = 0; one < size; one++) {
                for (int other = 0; other < size; other++) {
                    assertThat(placement.host(slots[one]) == placement.host(slots[other]))
                            .isEqualTo(keys[one] == keys[other]);
                }
            }
        }
    }

    @Test
    void shouldStayWithTheMembersOfAnEpoch() {
        Placement placement = Placement.of(SlotRuns.range(2), new long[] {1, 2});
        Membership members = Membership.initial(2).on(placement);
        assertThat(members.placement()).isSameAs(placement);
        assertThat(members.process(1)).isEqualTo(ProcessId.of(1));
    }

    @Test
    void shouldRefuseHostsOfOtherMembers() {
        assertThatThrownBy(() -> Placement.of(SlotRuns.range(3), new long[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 slots and the hosts of 2");
    }
}
