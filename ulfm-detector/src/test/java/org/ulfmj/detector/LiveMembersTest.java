package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class LiveMembersTest {
    @Test
    void shouldAgreeWithAFilteredListForRandomWorlds() {
        Random random = new Random(7);
        for (int run = 0; run < 2_000; run++) {
            int[] slots = distinctSlots(1 + random.nextInt(12), random);
            SlotSet gone = SlotSet.of(IntStream.range(0, 20)
                    .filter(slot -> random.nextInt(3) == 0)
                    .toArray());
            int[] left =
                    Arrays.stream(slots).filter(slot -> !gone.contains(slot)).toArray();

            LiveMembers live = LiveMembers.of(SlotRuns.of(slots), gone);

            assertThat(live.size()).isEqualTo(left.length);
            for (int place = 0; place < left.length; place++) {
                assertThat(live.slot(place)).isEqualTo(left[place]);
                assertThat(live.place(left[place])).isEqualTo(place);
            }
            for (int slot = 0; slot < 20; slot++) {
                int wanted = slot;
                assertThat(live.contains(slot)).isEqualTo(Arrays.stream(left).anyMatch(one -> one == wanted));
            }
        }
    }

    @Test
    void shouldGiveAMissingMemberThePlaceOfItsNextLiveSuccessor() {
        LiveMembers live = LiveMembers.of(SlotRuns.range(6), SlotSet.of(1, 2, 5));
        assertThat(live.place(1)).isEqualTo(live.place(3));
        assertThat(live.place(2)).isEqualTo(live.place(3));
        assertThat(live.place(5)).as("wraps round").isEqualTo(live.place(0));
    }

    @Test
    void shouldHaveNoPlaceForStrangersOrWhenNoMemberIsLeft() {
        assertThat(LiveMembers.of(SlotRuns.range(3), SlotSet.EMPTY).place(3)).isEqualTo(-1);
        assertThat(LiveMembers.of(SlotRuns.range(2), SlotSet.of(0, 1)).place(0)).isEqualTo(-1);
    }

    @Test
    void shouldRefuseAPlaceOutsideTheList() {
        LiveMembers live = LiveMembers.of(SlotRuns.range(3), SlotSet.of(1));
        assertThatThrownBy(() -> live.slot(2)).hasMessage("place 2 of 2");
    }

    private static int[] distinctSlots(int count, Random random) {
        return random.ints(0, 20).distinct().limit(count).toArray();
    }
}
