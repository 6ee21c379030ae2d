package org.ulfmj.agree.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class AgreementTreeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''    | 0:0[1,2] 1:0[3,4] 2:0[5,6] 3:1[] 4:1[] 5:2[] 6:2[]",
                "1     | 0:0[2,3,4] 2:0[5,6] 3:0[] 4:0[] 5:2[] 6:2[]",
                "0     | 1:1[2,3,4] 2:1[5,6] 3:1[] 4:1[] 5:2[] 6:2[]",
                "0 1   | 2:2[3,4,5,6] 3:2[] 4:2[] 5:2[] 6:2[]",
                "0 2   | 1:1[3,4,5,6] 3:1[] 4:1[] 5:1[] 6:1[]",
                "1 2   | 0:0[3,4,5,6] 3:0[] 4:0[] 5:0[] 6:0[]",
                "0 1 2 | 3:3[4,5,6] 4:3[] 5:3[] 6:3[]",
                "0 1 3 | 2:2[4,5,6] 4:2[] 5:2[] 6:2[]"
            })
    void shouldHangSurvivorsUnderTheirNearestLiveAncestor(String dead, String expected) {
        assertThat(text(SlotRuns.range(7), SlotSet.EMPTY, slots(dead))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"1     | 0:0[2,3] 2:0[4,5] 3:0[6] 4:2[] 5:2[] 6:3[]", "0 3   | 1:1[2,4] 2:1[5,6] 4:1[] 5:2[] 6:2[]"
            })
    void shouldBeABinaryHeapOfTheOthersWhenTheDeadAreInTheBase(String base, String expected) {
        assertThat(text(SlotRuns.range(7), slots(base), slots(base))).isEqualTo(expected);
    }

    @Test
    void shouldFollowTheRanksAndNotTheSlotsOfTheMembers() {
        assertThat(text(SlotRuns.of(9, 4, 6, 1), SlotSet.EMPTY, SlotSet.of(4))).isEqualTo("9:9[1,6] 6:9[] 1:9[]");
    }

    @Test
    void shouldLetParentsAndChildrenFitTogetherWhicheverMembersAreGone() {
        requireFit(TreeShape.BINARY, 3_000);
        requireFit(TreeShape.WIDE, 3_000);
        requireFit(TreeShape.heap(3), 3_000);
    }

    @Test
    void shouldLetParentsAndChildrenFitTogetherInAnotherShape() {
        requireFit(new Caterpillar(), 1_000);
    }

    private static void requireFit(TreeShape shape, int trials) {
        Random random = new Random(5);
        for (int trial = 0; trial < trials; trial++) {
            int size = 1 + random.nextInt(40);
            SlotRuns members = SlotRuns.range(size);
            SlotSet base = subset(random, size, random.nextInt(4));
            SlotSet gone = base.union(subset(random, size, random.nextInt(4)));
            if (gone.size() == size) {
                continue;
            }
            AgreementTree tree = new AgreementTree(members, base, shape);
            int roots = 0;
            for (int slot = 0; slot < size; slot++) {
                if (gone.contains(slot)) {
                    continue;
                }
                int parent = tree.parent(slot, gone);
                roots += parent == slot ? 1 : 0;
                assertThat(gone.contains(parent)).isFalse();
                assertThat(parent).isLessThanOrEqualTo(slot);
                for (int child = 0; child < size; child++) {
                    boolean isChild = child != slot && !gone.contains(child) && tree.parent(child, gone) == slot;
                    assertThat(tree.children(slot, gone).contains(child)).isEqualTo(isChild);
                }
            }
            assertThat(roots).isEqualTo(1);
        }
    }

    @Test
    void shouldCostNothingPerMemberWhenTheWorldIsHuge() {
        SlotRuns members = SlotRuns.range(2_000_000_000);
        AgreementTree tree = new AgreementTree(members, SlotSet.of(0, 1, 2));
        SlotSet gone = SlotSet.of(0, 1, 2, 3, 7);

        assertThat(tree.parent(4, gone)).isEqualTo(4);
        assertThat(tree.children(4, gone).toArray()).containsExactly(5, 6, 12, 13);
        assertThat(tree.parent(1_999_999_999, gone)).isEqualTo(1_000_000_000);
        assertThat(tree.children(1_999_999_999, gone).isEmpty()).isTrue();
    }

    @Test
    void shouldNameItsBaseSoThatOthersCanTellWhetherTheyShareIt() {
        SlotRuns members = SlotRuns.range(9);

        assertThat(new AgreementTree(members, SlotSet.of(2, 5)).view())
                .isEqualTo(new AgreementTree(members, SlotSet.of(5, 2)).view())
                .isNotEqualTo(new AgreementTree(members, SlotSet.of(2)).view())
                .isNotEqualTo(new AgreementTree(members, SlotSet.of(5)).view())
                .isNotEqualTo(new AgreementTree(members, SlotSet.EMPTY).view());
    }

    @Test
    void shouldRefuseToPlaceAMemberOfTheBase() {
        AgreementTree tree = new AgreementTree(SlotRuns.range(4), SlotSet.of(1));

        assertThatThrownBy(() -> tree.parent(1, SlotSet.of(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("slot 1 takes no part in the agreement, base {1}");
    }

    /** A tree shape for tests: the even places form a chain, and each odd place is a leaf below the even one before. */
    private static final class Caterpillar implements TreeShape {
        @Override
        public int parent(int place) {
            return place % 2 == 0 ? place - 2 : place - 1;
        }

        @Override
        public int[] children(int place, int size) {
            return place % 2 == 1
                    ? new int[0]
                    : IntStream.of(place + 2, place + 1)
                            .filter(child -> child < size)
                            .toArray();
        }
    }

    /** The tree as text: {@code slot:parent[children]} of each member that is not gone, in rank order. */
    private static String text(SlotRuns members, SlotSet base, SlotSet gone) {
        AgreementTree tree = new AgreementTree(members, base);
        List<String> lines = new ArrayList<>();
        for (int slot : members.toArray()) {
            if (!gone.contains(slot)) {
                String children =
                        tree.children(slot, gone).toString().replace('{', '[').replace('}', ']');
                lines.add(slot + ":" + tree.parent(slot, gone) + children);
            }
        }
        return String.join(" ", lines);
    }

    private static SlotSet slots(String text) {
        SlotSet set = SlotSet.EMPTY;
        for (String slot : text.isBlank() ? new String[0] : text.trim().split(" ")) {
            set = set.with(Integer.parseInt(slot));
        }
        return set;
    }

    private static SlotSet subset(Random random, int size, int oneIn) {
        SlotSet set = SlotSet.EMPTY;
        for (int slot = 0; slot < size; slot++) {
            if (random.nextInt(1 + oneIn) == 1) {
                set = set.with(slot);
            }
        }
        return set;
    }
}
