package mpi;

import java.util.Arrays;
import org.ulfmj.runtime.collective.Neighborhood;

/**
 * A Cartesian grid. Its ranks are numbered by rows: from one rank to the next the last coordinate changes fastest (MPI
 * 3.1 section 7.2). A grid without dimensions has one rank. Immutable; arguments were checked.
 */
final class CartTopology implements Topology {
    private final int[] dims;
    private final boolean[] periods;
    private final Neighborhood neighbors;

    /**
     * The grid as its rank {@code own} sees it, whose neighbours it keeps. {@code periods} may be longer than there are
     * dimensions.
     */
    CartTopology(int[] dims, boolean[] periods, int own) {
        this.dims = dims.clone();
        this.periods = Arrays.copyOf(periods, dims.length);
        this.neighbors = Neighborhood.ofGrid(neighborsOf(own));
    }

    private int[] neighborsOf(int rank) {
        int[] both = new int[2 * dims.length];
        for (int direction = 0; direction < dims.length; direction++) {
            both[2 * direction] = shifted(rank, direction, -1);
            both[2 * direction + 1] = shifted(rank, direction, 1);
        }
        return both;
    }

    @Override
    public int kind() {
        return MPI.CART;
    }

    @Override
    public Neighborhood neighbors() {
        return neighbors;
    }

    @Override
    public CartComm communicator(CommState made) {
        return new CartComm(made);
    }

    int dimensions() {
        return dims.length;
    }

    int dim(int direction) {
        return dims[direction];
    }

    boolean isPeriodic(int direction) {
        return periods[direction];
    }

    CartParms parameters(int rank) {
        return new CartParms(dims.clone(), periods.clone(), coordinates(rank));
    }

    int[] coordinates(int rank) {
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int direction = dims.length - 1; direction >= 0; direction--) {
            coordinates[direction] = rest % dims[direction];
            rest /= dims[direction];
        }
        return coordinates;
    }

    /** The rank at some coordinates, which may lie outside of the grid in periodic dimensions. */
    int rank(int[] coordinates) {
        int rank = 0;
        for (int direction = 0; direction < dims.length; direction++) {
            rank = rank * dims[direction] + Math.floorMod(coordinates[direction], dims[direction]);
        }
        return rank;
    }

    /**
     * The rank whose coordinate in a dimension is greater by {@code displacement}, counted modulo the length in a
     * periodic dimension; {@link MPI#PROC_NULL} if there is none.
     */
    int shifted(int rank, int direction, long displacement) {
        int[] coordinates = coordinates(rank);
        long target = coordinates[direction] + displacement;
        if (!periods[direction] && (target < 0 || target >= dims[direction])) {
            return MPI.PROC_NULL;
        }
        coordinates[direction] = (int) Math.floorMod(target, (long) dims[direction]);
        return rank(coordinates);
    }

    /** The ranks, ascending, that differ from {@code rank} at most in the coordinates of the remaining dimensions. */
    int[] slice(int rank, boolean[] remain) {
        int[] ranks = {0};
        int[] own = coordinates(rank);
        for (int direction = 0; direction < dims.length; direction++) {
            int first = remain[direction] ? 0 : own[direction];
            int count = remain[direction] ? dims[direction] : 1;
            int[] longer = new int[ranks.length * count];
            for (int i = 0; i < longer.length; i++) {
                longer[i] = ranks[i / count] * dims[direction] + first + i % count;
            }
            ranks = longer;
        }
        return ranks;
    }

    /** The grid that has the remaining dimensions only, as its rank {@code own} sees it. */
    CartTopology remaining(boolean[] remain, int own) {
        int[] lengths = new int[dims.length];
        boolean[] cyclic = new boolean[dims.length];
        int count = 0;
        for (int direction = 0; direction < dims.length; direction++) {
            if (remain[direction]) {
                lengths[count] = dims[direction];
                cyclic[count++] = periods[direction];
            }
        }
        return new CartTopology(Arrays.copyOf(lengths, count), cyclic, own);
    }
}
