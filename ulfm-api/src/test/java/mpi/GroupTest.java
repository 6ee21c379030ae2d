package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class GroupTest {
    private final Group evens = group(0, 2, 4, 6);
    private final Group low = group(3, 2, 1, 0);

    @Test
    void shouldTranslateRanksBetweenGroups() {
        int[] translated = Group.translateRanks(low, new int[] {0, 1, 3, MPI.PROC_NULL}, evens);

        assertThat(translated).containsExactly(MPI.UNDEFINED, 1, 0, MPI.PROC_NULL);
    }

    @Test
    void shouldCompareMembersAndTheirOrder() {
        assertThat(Group.compare(evens, group(0, 2, 4, 6))).isEqualTo(MPI.IDENT);
        assertThat(Group.compare(evens, group(6, 4, 2, 0))).isEqualTo(MPI.SIMILAR);
        assertThat(Group.compare(evens, low)).isEqualTo(MPI.UNEQUAL);
        assertThat(Group.compare(evens, group(0, 2, 4))).isEqualTo(MPI.UNEQUAL);
        assertThat(Group.compare(MPI.GROUP_EMPTY, group())).isEqualTo(MPI.IDENT);
    }

    @Test
    void shouldCombineInTheOrderOfTheFirstGroup() {
        assertThat(slots(Group.union(low, evens))).containsExactly(3, 2, 1, 0, 4, 6);
        assertThat(slots(Group.intersection(low, evens))).containsExactly(2, 0);
        assertThat(slots(Group.difference(low, evens))).containsExactly(3, 1);
        assertThat(slots(Group.union(MPI.GROUP_EMPTY, evens))).containsExactly(0, 2, 4, 6);
        assertThat(Group.intersection(evens, MPI.GROUP_EMPTY).getSize()).isZero();
    }

    @Test
    void shouldPickAndLeaveOutRanks() {
        assertThat(slots(evens.incl(new int[] {3, 0}))).containsExactly(6, 0);
        assertThat(slots(evens.excl(new int[] {3, 0}))).containsExactly(2, 4);
        assertThat(slots(low.excl(new int[0]))).containsExactly(3, 2, 1, 0);
        assertThat(evens.incl(new int[0]).getSize()).isZero();
    }

    @Test
    void shouldPickAndLeaveOutRanges() {
        Group ten = group(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

        assertThat(slots(ten.rangeIncl(new int[][] {{1, 6, 2}, {9, 8, -1}, {0, 0, 5}})))
                .containsExactly(1, 3, 5, 9, 8, 0);
        assertThat(slots(ten.rangeExcl(new int[][] {{1, 6, 2}, {9, 7, -1}}))).containsExactly(0, 2, 4, 6);
        assertThat(ten.rangeIncl(new int[][] {{5, 4, 1}}).getSize()).isZero();
        assertThat(slots(ten.rangeExcl(new int[0][]))).hasSize(10);
    }

    @Test
    void shouldNameTheBadArgument() {
        assertError(() -> evens.incl(new int[] {0, 4}), MPI.ERR_RANK, "ranks[1] names rank 4; allowed: 0 to 3");
        assertError(() -> evens.incl(new int[] {-1}), MPI.ERR_RANK, "ranks[0] names rank -1");
        assertError(() -> evens.excl(new int[] {1, 1}), MPI.ERR_RANK, "names rank 1 twice");
        assertError(() -> evens.rangeIncl(new int[][] {{0, 3, 0}}), MPI.ERR_ARG, "ranges[0] is [0, 3, 0]");
        assertError(() -> evens.rangeIncl(new int[][] {{0, 3}}), MPI.ERR_ARG, "ranges[0] is [0, 3]");
        assertError(() -> evens.rangeIncl(new int[][] {{0, 9, 1}}), MPI.ERR_RANK, "ranges[0] names rank 4");
        assertError(() -> evens.rangeIncl(null), MPI.ERR_ARG, "ranges is null");
        assertError(() -> Group.translateRanks(evens, null, low), MPI.ERR_ARG, "ranks1 is null");
        assertError(() -> Group.union(evens, null), MPI.ERR_GROUP, "Group.union: group2 is null");
        assertError(() -> Group.compare(null, low), MPI.ERR_GROUP, "Group.compare: group1 is null");
        assertError(() -> Group.translateRanks(low, new int[] {4}, evens), MPI.ERR_RANK, "ranks1[0] names rank 4");
        assertError(() -> MPI.GROUP_EMPTY.incl(new int[] {0}), MPI.ERR_RANK, "none, since the group is empty");
        Group freed = group(1);
        freed.free();
        assertError(() -> Group.difference(freed, low), MPI.ERR_GROUP, "Group.difference: group1 was freed");
        assertError(() -> Group.intersection(low, freed), MPI.ERR_GROUP, "Group.intersection: group2 was freed");
        assertError(() -> freed.rangeExcl(new int[0][]), MPI.ERR_GROUP, "Group.rangeExcl: the group was freed");
    }

    @Test
    void shouldTellAReplacementFromWhomItReplaces() {
        Group before = new Group(ProcessList.of(ProcessId.of(0), ProcessId.of(1), ProcessId.of(2)));
        Group after = new Group(ProcessList.of(ProcessId.of(0), new ProcessId(1, 1), ProcessId.of(2)));

        assertThat(Group.compare(before, after)).isEqualTo(MPI.UNEQUAL);
        assertThat(slots(Group.intersection(before, after))).containsExactly(0, 2);
        assertThat(Group.union(before, after)).hasToString("group [0, 1, 2, 1'1]");
        assertThat(Group.translateRanks(before, new int[] {0, 1, 2}, after)).containsExactly(0, MPI.UNDEFINED, 2);
    }

    @Test
    void shouldShowTheBeginningOfALargeGroup() {
        int[] slots = new int[20];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = i;
        }

        assertThat(group(slots).toString()).startsWith("group [0, 1, ").endsWith("15, … 20 processes]");
    }

    @Test
    void shouldBeNullOnceFreed() {
        Group group = group(1);
        group.free();

        assertThat(group.isNull()).isTrue();
        assertError(group::getSize, MPI.ERR_GROUP, "Group.getSize: the group was freed");
        MPI.GROUP_EMPTY.free();
        assertThat(MPI.GROUP_EMPTY.isNull()).isFalse();
    }

    @Test
    void shouldNeedARankToAskForItsOwn() {
        assertThatThrownBy(evens::getRank).isInstanceOf(MPIException.class).hasMessageContaining("works for no rank");
    }

    private static void assertError(ThrowingCallable call, int errorClass, String text) {
        MPIException thrown = catchThrowableOfType(MPIException.class, call);
        assertThat(thrown).hasMessageContaining(text);
        assertThat(thrown.getErrorClass()).isEqualTo(errorClass);
    }

    private static Group group(int... slots) {
        ProcessId[] processes = new ProcessId[slots.length];
        for (int i = 0; i < slots.length; i++) {
            processes[i] = ProcessId.of(slots[i]);
        }
        return new Group(ProcessList.of(processes));
    }

    private static int[] slots(Group group) {
        int[] slots = new int[group.getSize()];
        for (int rank = 0; rank < slots.length; rank++) {
            slots[rank] = group.members().get(rank).slot();
        }
        return slots;
    }
}
