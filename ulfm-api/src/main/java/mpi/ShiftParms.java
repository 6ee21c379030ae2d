package mpi;

/** The partners of the caller in a shift of data along a dimension, from {@link CartComm#shift}. Immutable. */
public final class ShiftParms {
    private final int rankSource;
    private final int rankDest;

    ShiftParms(int rankSource, int rankDest) {
        this.rankSource = rankSource;
        this.rankDest = rankDest;
    }

    /**
     * The rank to receive from, {@link MPI#PROC_NULL} if it would lie outside of the grid.
     *
     * <p>{@code MPI_Cart_shift}, MPI 3.1 section 7.5.6.
     */
    public int getRankSource() {
        return rankSource;
    }

    /**
     * The rank to send to, {@link MPI#PROC_NULL} if it would lie outside of the grid.
     *
     * <p>{@code MPI_Cart_shift}, MPI 3.1 section 7.5.6.
     */
    public int getRankDest() {
        return rankDest;
    }
}
