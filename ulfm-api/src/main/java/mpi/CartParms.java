package mpi;

/**
 * A Cartesian grid and the caller's place in it, from {@link CartComm#getTopo}. Immutable. A number of a dimension
 * outside of 0 to {@link #getDimCount} − 1 is an error of class {@link MPI#ERR_ARG}.
 */
public final class CartParms {
    private final int[] dims;
    private final boolean[] periods;
    private final int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    /**
     * The number of dimensions.
     *
     * <p>{@code MPI_Cartdim_get}, MPI 3.1 section 7.5.5.
     */
    public int getDimCount() {
        return dims.length;
    }

    /**
     * The number of ranks along dimension {@code i}.
     *
     * <p>{@code MPI_Cart_get}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such dimension
     */
    public int getDim(int i) {
        return dims[Arguments.entry("CartParms.getDim", i, dims.length)];
    }

    /**
     * Whether dimension {@code i} is periodic: the upper neighbour of the last rank along it is the first one.
     *
     * <p>{@code MPI_Cart_get}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such dimension
     */
    public boolean getPeriod(int i) {
        return periods[Arguments.entry("CartParms.getPeriod", i, periods.length)];
    }

    /**
     * The caller's coordinate in dimension {@code i}, from 0.
     *
     * <p>{@code MPI_Cart_get}, MPI 3.1 section 7.5.5.
     *
     * @throws MPIException of class {@link MPI#ERR_ARG} if there is no such dimension
     */
    public int getCoord(int i) {
        return coords[Arguments.entry("CartParms.getCoord", i, coords.length)];
    }
}
