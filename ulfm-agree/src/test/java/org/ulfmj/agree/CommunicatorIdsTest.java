package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class CommunicatorIdsTest {
    private static final SlotRuns SIX = SlotRuns.range(6);

    @Test
    void shouldGiveEveryOriginItsOwnIdAndTheSameOneAtEveryRank() {
        assertThat(ids("secret")).doesNotHaveDuplicates().isEqualTo(ids("secret"));
        assertThat(ids("secret")).doesNotContainAnyElementsOf(ids("other secret"));
    }

    @Test
    void shouldNotShareAnIdBetweenShrinksThatDecidedDifferently() {
        CommunicatorIds ids = new CommunicatorIds(digest("secret"));

        ShrinkOutcome early = ShrinkOutcome.of(ids, 7, 3, SIX, SlotSet.of(1));
        ShrinkOutcome survivors = ShrinkOutcome.of(ids, 7, 3, SIX, SlotSet.of(1, 4));

        assertThat(survivors.members().toArray()).containsExactly(0, 2, 3, 5);
        assertThat(early.id()).isNotEqualTo(survivors.id());
        assertThat(ShrinkOutcome.of(ids, 7, 3, SIX, SlotSet.of(4, 1))).isEqualTo(survivors);
    }

    @Test
    void shouldRefuseAShrinkThatLeavesOutItsCallerOrKeepsAKnownFailure() {
        ShrinkOutcome outcome = ShrinkOutcome.of(new CommunicatorIds(digest("secret")), 7, 3, SIX, SlotSet.of(1, 4));

        assertThatCode(() -> outcome.requireKept(5, SlotSet.of(4))).doesNotThrowAnyException();
        assertThatThrownBy(() -> outcome.requireKept(4, SlotSet.EMPTY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shrink to [0..2/2, 3..5/2] leaves out its caller, slot 4");
        assertThatThrownBy(() -> outcome.requireKept(5, SlotSet.of(3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shrink to [0..2/2, 3..5/2] keeps slot 3, whose failure its caller knew");
    }

    /** Each field of each half makes a difference to the id, and so does the order of the halves. */
    @Test
    void shouldGiveEveryInterCommunicatorItsOwnId() {
        CommunicatorIds ids = new CommunicatorIds(digest("secret"));
        List<CommunicatorIds.Half> halves = List.of(
                new CommunicatorIds.Half(1, 1, SlotRuns.of(0, 1)),
                new CommunicatorIds.Half(1, 2, SlotRuns.of(0, 1)),
                new CommunicatorIds.Half(2, 1, SlotRuns.of(0, 1)),
                new CommunicatorIds.Half(1, 1, SlotRuns.of(1, 0)),
                new CommunicatorIds.Half(1, 1, SlotRuns.of(0)),
                new CommunicatorIds.Half(1, 1, SlotRuns.of(2)));
        List<Long> all = new ArrayList<>();
        for (CommunicatorIds.Half first : halves) {
            for (CommunicatorIds.Half second : halves) {
                all.add(ids.inter(first, second, 0));
                all.add(ids.inter(first, second, 1));
            }
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(72);
        assertThat(ids.inter(halves.get(0), halves.get(1), 0)).isEqualTo(all.get(2));
    }

    private static List<Long> ids(String secret) {
        CommunicatorIds ids = new CommunicatorIds(digest(secret));
        List<Long> all = new ArrayList<>();
        all.add(ids.world(SIX));
        all.add(ids.world(SlotRuns.range(5)));
        all.add(ids.self(ProcessId.of(1)));
        all.add(ids.self(new ProcessId(1, 1)));
        for (long parent = 1; parent <= 2; parent++) {
            for (long sequence = 1; sequence <= 2; sequence++) {
                all.add(ids.dup(parent, sequence, SIX));
                all.add(ids.create(parent, sequence, SIX));
                all.add(ids.merge(parent, sequence, SIX));
                all.add(ids.leaders(parent, 3, SlotRuns.range(2), sequence));
                all.add(ids.leaders(parent, 4, SlotRuns.range(2), sequence));
                all.add(ids.split(parent, sequence, 0, SIX));
                all.add(ids.split(parent, sequence, 1, SIX));
                all.add(ids.split(parent, sequence, 1, SlotRuns.of(5, 4, 3, 2, 1, 0)));
                all.add(ids.createGroup(parent, 0, SIX, sequence));
                all.add(ids.shrink(parent, sequence, SlotSet.EMPTY));
                all.add(ids.shrink(parent, sequence, SlotSet.of(0)));
            }
        }
        return all;
    }

    private static Digest64 digest(String secret) {
        return new Digest64(secret.getBytes(StandardCharsets.UTF_8));
    }
}
