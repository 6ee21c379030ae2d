package mpi;

import org.ulfmj.runtime.error.CallError;

/**
 * A communicator whose ranks form a Cartesian grid, made by {@link Intracomm#createCart} or {@link #sub}. {@link #dup},
 * {@link #dupWithInfo}, {@link #iDup} and {@link #clone} keep the grid. What {@code split}, {@code create},
 * {@code shrink} and {@code replace} give has no topology: the program has to make a grid of the ranks that are left
 * anew.
 */
public final class CartComm extends Intracomm {
    CartComm(CommState made) {
        super(made);
    }

    private CartComm(Making making) {
        super(null, making);
    }

    @Override
    public CartComm dupWithInfo(Info info) {
        return (CartComm) super.dupWithInfo(info);
    }

    @Override
    public CartComm dup() {
        return (CartComm) super.dup();
    }

    @Override
    public CartComm iDup() {
        return new CartComm(startDup());
    }

    @Override
    public CartComm clone() {
        return dup();
    }

    private static CartTopology grid(CommState state) {
        return (CartTopology) state.topology();
    }

    /**
     * Chooses the lengths of a grid's dimensions, about as equal as they can be: each element of {@code dims} that is 0
     * is set, so that the product of all is {@code nnodes}; of those that are set, none is longer than one before it.
     * Local; may be called before {@code Init}.
     *
     * <p>{@code MPI_Dims_create}, MPI 3.1 section 7.5.2.
     *
     * @param nnodes the number of ranks, from 1
     * @param dims an element for each dimension: its length, or 0
     * @throws MPIException of class {@code ERR_DIMS} if {@code nnodes} is not positive, an element of {@code dims} is
     *     negative, the product of the given lengths does not divide {@code nnodes}, or no element is 0 and the product
     *     is not {@code nnodes}; of class {@code ERR_ARG} if {@code dims} is null. {@code dims} is unchanged then
     */
    public static void createDims(int nnodes, int[] dims) {
        Dims.fill(nnodes, dims);
    }

    /**
     * The grid, and the caller's coordinates in it. Local.
     *
     * <p>{@code MPI_Cart_get}, MPI 3.1 section 7.5.5.
     */
    public CartParms getTopo() {
        CommState state = enter("getTopo");
        return grid(state).parameters(state.communicator().rank());
    }

    /**
     * The rank at some coordinates. In a periodic dimension a coordinate may be any number, and counts modulo the
     * dimension's length. Local.
     *
     * <p>{@code MPI_Cart_rank}, MPI 3.1 section 7.5.5.
     *
     * @param coords a coordinate for each dimension, from 0
     * @throws MPIException of class {@code ERR_ARG} if a coordinate lies outside of a dimension that is not periodic,
     *     or {@code coords} has fewer elements than the grid has dimensions or, unless the grid has none, is null
     */
    public int getRank(int[] coords) {
        CommState state = enter("getRank");
        try {
            TopologyArguments.coordinates(state, grid(state), coords);
            return grid(state).rank(coords);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The coordinates of a rank, one for each dimension, from 0. Local.
     *
     * <p>{@code MPI_Cart_coords}, MPI 3.1 section 7.5.5.
     */
    public int[] getCoords(int rank) {
        CommState state = enter("getCoords");
        try {
            TopologyArguments.member(state, "getCoords", rank);
            return grid(state).coordinates(rank);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The ranks that the caller sends to and receives from when all ranks shift data along a dimension;
     * {@link MPI#PROC_NULL} for one that the grid does not have. Local.
     *
     * <p>{@code MPI_Cart_shift}, MPI 3.1 section 7.5.6.
     *
     * @param direction the dimension, from 0
     * @param disp how far: upwards if positive, downwards if negative
     * @throws MPIException of class {@code ERR_DIMS} if the grid does not have that dimension
     */
    public ShiftParms shift(int direction, int disp) {
        CommState state = enter("shift");
        try {
            TopologyArguments.direction(state, grid(state), direction);
            int rank = state.communicator().rank();
            return new ShiftParms(
                    grid(state).shifted(rank, direction, -(long) disp),
                    grid(state).shifted(rank, direction, disp));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Divides the grid into slices: a rank's new communicator has those ranks that differ from it in the remaining
     * dimensions only, as a grid of these dimensions. Where no dimension remains, it is a grid without dimensions that
     * has the caller alone. Collective.
     *
     * <p>{@code MPI_Cart_sub}, MPI 3.1 section 7.5.7.
     *
     * @param remainDims for each dimension, whether it remains; the same at all ranks
     */
    public CartComm sub(boolean[] remainDims) {
        return TopologyCalls.sub(this, remainDims);
    }

    /**
     * The rank that a grid of these dimensions would best give to the caller, which is its rank here, or
     * {@link MPI#UNDEFINED} if the grid has no place for it. Local.
     *
     * <p>{@code MPI_Cart_map}, MPI 3.1 section 7.5.8.
     *
     * @param dims the length of each dimension, from 1
     * @param periods whether each dimension is periodic
     * @throws MPIException of class {@code ERR_DIMS} if a length is not positive, or the grid has more ranks than this
     *     communicator; of class {@code ERR_ARG} if {@code dims} is null, or {@code periods} is null or shorter
     */
    public int map(int[] dims, boolean[] periods) {
        return TopologyCalls.map(this, dims, periods);
    }
}
