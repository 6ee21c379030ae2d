package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;

/** Checks properties of random groups, some of them against collections of the JDK; a failure names the seed. */
class GroupPropertiesTest {
    private static final int ROUNDS = 300;
    private static final int SLOTS = 12;

    private static List<ProcessId> draw(Random random) {
        List<ProcessId> all = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            all.add(ProcessId.of(slot));
            all.add(new ProcessId(slot, 1));
        }
        Collections.shuffle(all, random);
        return all.subList(0, random.nextInt(SLOTS));
    }

    private static Group group(List<ProcessId> processes) {
        return new Group(ProcessList.of(processes.toArray(new ProcessId[0])));
    }

    private static List<ProcessId> processes(Group group) {
        List<ProcessId> processes = new ArrayList<>();
        for (int rank = 0; rank < group.getSize(); rank++) {
            processes.add(group.members().get(rank));
        }
        return processes;
    }

    private static int[] ranks(List<Integer> ranks) {
        return ranks.stream().mapToInt(Integer::intValue).toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void shouldCombineInMpisOrder(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessId> first = draw(random);
            List<ProcessId> second = draw(random);
            Set<ProcessId> union = new LinkedHashSet<>(first);
            union.addAll(second);
            List<ProcessId> common = new ArrayList<>(first);
            common.retainAll(second);
            List<ProcessId> rest = new ArrayList<>(first);
            rest.removeAll(second);

            assertThat(processes(Group.union(group(first), group(second)))).containsExactlyElementsOf(union);
            assertThat(processes(Group.intersection(group(first), group(second))))
                    .containsExactlyElementsOf(common);
            assertThat(processes(Group.difference(group(first), group(second)))).containsExactlyElementsOf(rest);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 5})
    void shouldPickLeaveOutAndFindAgain(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessId> members = draw(random);
            Group whole = group(members);
            List<Integer> shuffled = new ArrayList<>();
            for (int rank = 0; rank < members.size(); rank++) {
                shuffled.add(rank);
            }
            Collections.shuffle(shuffled, random);
            int[] picked = ranks(shuffled.subList(0, random.nextInt(members.size() + 1)));

            Group in = whole.incl(picked);
            Group out = whole.excl(picked);
            for (int rank = 0; rank < picked.length; rank++) {
                assertThat(in.members().get(rank)).isEqualTo(members.get(picked[rank]));
            }
            assertThat(Group.compare(out, Group.difference(whole, in))).isEqualTo(MPI.IDENT);
            assertThat(Group.compare(whole, Group.union(in, out)))
                    .isEqualTo(processes(Group.union(in, out)).equals(members) ? MPI.IDENT : MPI.SIMILAR);
            assertThat(Group.translateRanks(whole, picked, in)).isEqualTo(counting(picked.length));
            assertThat(Group.translateRanks(in, counting(picked.length), whole)).isEqualTo(picked);
            assertThat(Group.translateRanks(in, counting(picked.length), out)).containsOnly(undefined(picked.length));
        }
    }

    private static int[] undefined(int times) {
        return times == 0 ? new int[0] : new int[] {MPI.UNDEFINED};
    }

    private static int[] counting(int length) {
        int[] numbers = new int[length];
        for (int i = 0; i < length; i++) {
            numbers[i] = i;
        }
        return numbers;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {6, 7})
    void shouldTakeRangesForTheRanksThatTheyStandFor(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Group whole = group(draw(random));
            int first = random.nextInt(SLOTS);
            int last = random.nextInt(SLOTS);
            int stride = 1 + random.nextInt(4);
            int[] range = {first, last, first <= last ? stride : -stride};
            List<Integer> meant = new ArrayList<>();
            for (int rank = first; first <= last ? rank <= last : rank >= last; rank += range[2]) {
                meant.add(rank);
            }
            boolean fits = Collections.max(meant) < whole.getSize();
            if (fits) {
                int[] ranks = ranks(meant);
                int[][] ranges = {range};
                assertThat(Group.compare(whole.rangeIncl(ranges), whole.incl(ranks)))
                        .isEqualTo(MPI.IDENT);
                assertThat(Group.compare(whole.rangeExcl(ranges), whole.excl(ranks)))
                        .isEqualTo(MPI.IDENT);
            }
        }
    }
}
