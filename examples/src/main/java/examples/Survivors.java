package examples;

import java.util.Arrays;
import java.util.stream.Collectors;
import mpi.Group;
import mpi.MPI;

/** The names of ranks in the examples' output: the numbers that they had in the beginning. */
final class Survivors {
    private Survivors() {}

    /** The members' ranks in COMM_WORLD, in the group's order. */
    static int[] worldRanks(Group group) {
        int[] ranks = new int[group.getSize()];
        Arrays.setAll(ranks, i -> i);
        return Group.translateRanks(group, ranks, MPI.COMM_WORLD.getGroup());
    }

    /** The group's ranks in COMM_WORLD as {@code rank 2} or {@code ranks 2, 5}. */
    static String names(Group group) {
        String numbers =
                Arrays.stream(worldRanks(group)).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return ranks(group.getSize()) + " " + numbers;
    }

    static String ranks(int count) {
        return count == 1 ? "rank" : "ranks";
    }
}
