package org.ulfmj.agree.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** The tree of an agreement whose members run on several hosts. */
class HostsTreeTest {
    /** With five hosts, some leaders are below a leader that is not the root. */
    private static final int MOST_HOSTS = 5;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The other members of a host are below their leader. The leaders of hosts 1 and 2 are below that of
                // host 0.
                "0 0 1 1 2 2 | ''  | ''    | 0:0[1,2,4] 1:0[] 2:0[3] 3:2[] 4:0[5] 5:4[]",
                // Hosts need not hold contiguous ranks.
                "0 1 2 0 1 2 | ''  | ''    | 0:0[1,2,3] 1:0[4] 2:0[5] 3:0[] 4:1[] 5:2[]",
                // Four hosts: the leaders are a heap.
                "0 1 2 3 3 0 | ''  | ''    | 0:0[1,2,5] 1:0[3] 2:0[] 3:1[4] 4:3[] 5:0[]",
                "0 1 2 3 3 0 | ''  | 1     | 0:0[2,3,5] 2:0[] 3:0[4] 4:3[] 5:0[]",
                // No two members share a host: the tree has the shape that it has on one host. That holds too where
                // only rank 0, which takes no part, shares a host.
                "0 1 2 3 4 5 | ''  | ''    | 0:0[1,2,3,4,5] 1:0[] 2:0[] 3:0[] 4:0[] 5:0[]",
                "0 0 1 2 3 4 | 0   | 0     | 1:1[2,3,4,5] 2:1[] 3:1[] 4:1[] 5:1[]",
                // When a leader dies, the other members of its host are below the leader's parent. Once an agreement
                // has listed the death, they have the next leader.
                "0 0 1 1 1 2 | ''  | 2     | 0:0[1,3,4,5] 1:0[] 3:0[] 4:0[] 5:0[]",
                "0 0 1 1 1 2 | 2   | 2     | 0:0[1,3,5] 1:0[] 3:0[4] 4:3[] 5:0[]",
                // The lowest live rank is the root, on whichever host it is.
                "0 1 1 0 2 2 | ''  | 0     | 1:1[2,3,4] 2:1[] 3:1[] 4:1[5] 5:4[]",
                "0 1 1 0 2 2 | 0   | 0     | 1:1[2,3,4] 2:1[] 3:1[] 4:1[5] 5:4[]",
                "0 1 1 1 0 0 | ''  | 0 1   | 2:2[3,4,5] 3:2[] 4:2[] 5:2[]"
            })
    void shouldHangHostsUnderTheirLeaders(String hosts, String base, String gone, String expected) {
        String[] names = hosts.split(" ");
        long[] keys = new long[names.length];
        for (int slot = 0; slot < keys.length; slot++) {
            keys[slot] = Long.parseLong(names[slot]);
        }
        SlotRuns members = SlotRuns.range(keys.length);
        AgreementTree tree = new AgreementTree(members, slots(base), TreeShape.WIDE, Placement.of(members, keys));
        SlotSet allGone = slots(gone);
        List<String> lines = new ArrayList<>();
        for (int slot = 0; slot < keys.length; slot++) {
            if (!allGone.contains(slot)) {
                String children = tree.children(slot, allGone).toString();
                lines.add(slot + ":" + tree.parent(slot, allGone)
                        + children.replace('{', '[').replace('}', ']'));
            }
        }
        assertThat(String.join(" ", lines)).isEqualTo(expected);
    }

    @Test
    void shouldBeTheTreeOfOneHostWhenAllMembersShareOne() {
        Placement placement = Placement.of(SlotRuns.range(40), new long[40]);
        // The world has two hosts, but the communicator's members are all on the second.
        Placement of = Placement.of(SlotRuns.range(40), keysOf(40, 20));
        SlotRuns members = SlotRuns.of(range(20, 40));
        for (Placement each : List.of(placement, of)) {
            AgreementTree flat = new AgreementTree(members, SlotSet.of(21), TreeShape.WIDE);
            AgreementTree tree = new AgreementTree(members, SlotSet.of(21), TreeShape.WIDE, each);
            for (int slot : members.toArray()) {
                if (slot != 21) {
                    assertThat(tree.parent(slot, SlotSet.of(21))).isEqualTo(flat.parent(slot, SlotSet.of(21)));
                    assertThat(tree.children(slot, SlotSet.of(21))).isEqualTo(flat.children(slot, SlotSet.of(21)));
                }
            }
        }
    }

    @Test
    void shouldCrossBetweenHostsOnceForEachHostBelowTheFirst() {
        forEachPlacement(6, keys -> {
            SlotRuns members = SlotRuns.range(keys.length);
            Placement placement = Placement.of(members, keys);
            AgreementTree tree = new AgreementTree(members, SlotSet.EMPTY, TreeShape.WIDE, placement);
            int crossings = 0;
            int hosts = 0;
            for (int slot = 0; slot < keys.length; slot++) {
                hosts = Math.max(hosts, placement.host(slot) + 1);
                crossings += placement.host(tree.parent(slot, SlotSet.EMPTY)) == placement.host(slot) ? 0 : 1;
            }
            assertThat(crossings).isEqualTo(hosts - 1);
        });
    }

    /**
     * §E.3: all placements of up to six members on up to five hosts, all bases, and all sets of failed members that
     * include the base and leave a member.
     */
    @Test
    void shouldLetParentsAndChildrenFitTogetherInEveryWorld() {
        for (int size = 1; size <= 6; size++) {
            forEachPlacement(size, HostsTreeTest::requireFit);
        }
    }

    @Test
    @Tag("release")
    void shouldLetParentsAndChildrenFitTogetherInEveryWorldOfSevenMembers() {
        forEachPlacement(7, HostsTreeTest::requireFit);
    }

    private static void requireFit(long[] keys) {
        int size = keys.length;
        SlotRuns members = SlotRuns.range(size);
        Placement placement = Placement.of(members, keys);
        for (TreeShape shape : List.of(TreeShape.WIDE, TreeShape.BINARY)) {
            for (int baseBits = 0; baseBits < 1 << size; baseBits++) {
                SlotSet base = slots(baseBits);
                // One tree answers for all sets of failed members, in the order of their bits: no answer may depend on
                // an earlier one.
                AgreementTree tree = new AgreementTree(members, base, shape, placement);
                for (int bits = baseBits; bits < (1 << size) - 1; bits = (bits + 1) | baseBits) {
                    requireFit(tree, placement, slots(bits), size);
                }
                AgreementTree again = new AgreementTree(members, base, shape, placement);
                for (int bits = (1 << size) - 2; bits > 0; bits--) {
                    if ((bits & baseBits) == baseBits) {
                        int last = Integer.numberOfTrailingZeros(~bits);
                        assertThat(again.children(last, slots(bits))).isEqualTo(tree.children(last, slots(bits)));
                    }
                }
            }
        }
    }

    private static void requireFit(AgreementTree tree, Placement placement, SlotSet gone, int size) {
        int roots = 0;
        int found = 0;
        for (int slot = 0; slot < size; slot++) {
            if (gone.contains(slot)) {
                continue;
            }
            int parent = tree.parent(slot, gone);
            roots += parent == slot ? 1 : 0;
            if (parent > slot
                    || gone.contains(parent)
                    || parent != slot && !tree.children(parent, gone).contains(slot)) {
                throw new AssertionError(slot + " under " + parent + " of " + placement + " without " + gone);
            }
            found += tree.children(slot, gone).size();
        }
        // Each live member but the root is a child of its parent, and no other member is a child.
        if (roots != 1 || found != size - gone.size() - 1) {
            throw new AssertionError(roots + " roots, " + found + " children of " + placement + " without " + gone);
        }
    }

    /**
     * Calls {@code use} for all ways to put the members on at most five hosts. Hosts are numbered in the order in which
     * they come.
     */
    private static void forEachPlacement(int size, Consumer<long[]> use) {
        place(new long[size], 0, 0, use);
    }

    private static void place(long[] keys, int slot, int hosts, Consumer<long[]> use) {
        if (slot == keys.length) {
            use.accept(keys.clone());
            return;
        }
        for (int host = 0; host <= Math.min(hosts, MOST_HOSTS - 1); host++) {
            keys[slot] = host;
            place(keys, slot + 1, Math.max(hosts, host + 1), use);
        }
    }

    private static long[] keysOf(int size, int ofFirst) {
        long[] keys = new long[size];
        for (int slot = ofFirst; slot < size; slot++) {
            keys[slot] = 1;
        }
        return keys;
    }

    private static int[] range(int from, int to) {
        int[] slots = new int[to - from];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = from + i;
        }
        return slots;
    }

    private static SlotSet slots(int bits) {
        SlotSet set = SlotSet.EMPTY;
        for (int slot = 0; bits >> slot != 0; slot++) {
            if ((bits >> slot & 1) != 0) {
                set = set.with(slot);
            }
        }
        return set;
    }

    private static SlotSet slots(String text) {
        SlotSet set = SlotSet.EMPTY;
        for (String slot : text.isBlank() ? new String[0] : text.trim().split(" ")) {
            set = set.with(Integer.parseInt(slot));
        }
        return set;
    }
}
