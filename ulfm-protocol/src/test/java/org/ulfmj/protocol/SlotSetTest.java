package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SlotSetTest {
    @Test
    void shouldSortAndDropRepetitions() {
        assertThat(SlotSet.of(5, 1, 5, 3).toArray()).containsExactly(1, 3, 5);
        assertThat(SlotSet.of(5, 1, 5)).isEqualTo(SlotSet.of(1, 5)).hasSameHashCodeAs(SlotSet.of(1, 5));
        assertThat(SlotSet.of()).isSameAs(SlotSet.EMPTY);
    }

    @Test
    void shouldComputeAsSetsDo() {
        Random random = new Random(3);
        for (int run = 0; run < 2_000; run++) {
            Set<Integer> left = randomSet(random);
            Set<Integer> right = randomSet(random);
            SlotSet a = slots(left);
            SlotSet b = slots(right);

            assertThat(a.union(b)).isEqualTo(slots(union(left, right)));
            assertThat(a.intersection(b)).isEqualTo(slots(common(left, right)));
            assertThat(a.minus(b)).isEqualTo(slots(difference(left, right)));
            assertThat(a.containsAll(b)).isEqualTo(left.containsAll(right));
            assertThat(a.size()).isEqualTo(left.size());
            assertThat(a.isEmpty()).isEqualTo(left.isEmpty());
            for (int slot = 0; slot < 10; slot++) {
                assertThat(a.contains(slot)).isEqualTo(left.contains(slot));
                assertThat(a.with(slot)).isEqualTo(slots(union(left, Set.of(slot))));
                assertThat(a.without(slot)).isEqualTo(slots(difference(left, Set.of(slot))));
            }
        }
    }

    @Test
    void shouldTreatAllAsTheUniverse() {
        SlotSet some = SlotSet.of(1, 4);
        assertThat(SlotSet.ALL.isAll()).isTrue();
        assertThat(some.isAll()).isFalse();
        assertThat(SlotSet.ALL.isEmpty()).isFalse();
        assertThat(SlotSet.ALL.contains(123_456)).isTrue();
        assertThat(SlotSet.ALL.containsAll(some)).isTrue();
        assertThat(SlotSet.ALL.containsAll(SlotSet.ALL)).isTrue();
        assertThat(some.containsAll(SlotSet.ALL)).isFalse();
        assertThat(SlotSet.ALL.union(some)).isEqualTo(SlotSet.ALL);
        assertThat(some.union(SlotSet.ALL)).isEqualTo(SlotSet.ALL);
        assertThat(SlotSet.ALL.intersection(some)).isEqualTo(some);
        assertThat(some.intersection(SlotSet.ALL)).isEqualTo(some);
        assertThat(some.minus(SlotSet.ALL)).isEqualTo(SlotSet.EMPTY);
        assertThat(SlotSet.ALL.with(3)).isEqualTo(SlotSet.ALL);
    }

    @Test
    void shouldRefuseToListAll() {
        assertThatThrownBy(SlotSet.ALL::toArray).hasMessage("the set of all slots has no list");
        assertThatThrownBy(SlotSet.ALL::size).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SlotSet.ALL.minus(SlotSet.of(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SlotSet.ALL.without(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotBeChangedThroughItsArrays() {
        int[] source = {2, 1};
        SlotSet set = SlotSet.of(source);
        source[0] = 9;
        set.toArray()[0] = 9;
        assertThat(set).hasToString("{1,2}");
    }

    @Test
    void shouldDescribeItself() {
        assertThat(SlotSet.EMPTY).hasToString("{}");
        assertThat(SlotSet.of(1, 4)).hasToString("{1,4}");
        assertThat(SlotSet.ALL).hasToString("{all}");
    }

    @Test
    void shouldReadWhatItWrote() {
        for (SlotSet set : new SlotSet[] {SlotSet.EMPTY, SlotSet.ALL, SlotSet.of(0), SlotSet.of(3, 1, 2_000_000_000)}) {
            WireWriter out = new WireWriter(1_000);
            set.writeTo(out);
            WireReader in = new WireReader(out.toByteArray());
            assertThat(SlotSet.readFrom(in)).isEqualTo(set);
            in.requireEnd();
        }
    }

    @Test
    void shouldRefuseWireSetsThatDoNotAscendOrDoNotFit() {
        assertThatThrownBy(() -> read(2, 4, 4)).hasMessage("slots of a set must ascend from 0, got 4");
        assertThatThrownBy(() -> read(1, -4)).hasMessage("slots of a set must ascend from 0, got -4");
        assertThatThrownBy(() -> read(3, 1, 2)).hasMessage("3 slots do not fit into 8 bytes");
        assertThatThrownBy(() -> read(Integer.MAX_VALUE)).isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> read(-2)).hasMessage("-2 slots do not fit into 0 bytes");
    }

    private static SlotSet read(int... fields) {
        WireWriter out = new WireWriter(1_000);
        for (int field : fields) {
            out.putInt(field);
        }
        return SlotSet.readFrom(new WireReader(out.toByteArray()));
    }

    private static Set<Integer> randomSet(Random random) {
        Set<Integer> set = new TreeSet<>();
        for (int slot = 0; slot < 10; slot++) {
            if (random.nextInt(3) == 0) {
                set.add(slot);
            }
        }
        return set;
    }

    private static SlotSet slots(Set<Integer> set) {
        return SlotSet.of(set.stream().mapToInt(Integer::intValue).toArray());
    }

    private static Set<Integer> union(Set<Integer> left, Set<Integer> right) {
        Set<Integer> result = new TreeSet<>(left);
        result.addAll(right);
        return result;
    }

    private static Set<Integer> common(Set<Integer> left, Set<Integer> right) {
        Set<Integer> result = new TreeSet<>(left);
        result.retainAll(right);
        return result;
    }

    private static Set<Integer> difference(Set<Integer> left, Set<Integer> right) {
        Set<Integer> result = new TreeSet<>(left);
        result.removeAll(right);
        return result;
    }
}
