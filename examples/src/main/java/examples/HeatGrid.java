package examples;

import mpi.CartComm;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Heat spreads in a plate that is divided among a Cartesian grid of ranks: in each step a rank exchanges the four sides
 * of its block with its neighbours by one neighbour collective, and every point takes the mean of its four neighbours.
 *
 * <p>When a rank dies, the others catch the error, revoke the grid so that no rank waits in it any more, shrink the
 * communicator, make a new grid of the ranks that are left, divide the plate anew and go on. Every
 * {@value #STEPS_A_COPY} steps each rank keeps a copy of the whole plate, so that any one rank that is left would do.
 * The plate in the end is the same to the last bit, after any deaths and for any number of ranks.
 *
 * <pre>  bin/mpiexec -n 6 --inject 'kill:rank=4@iter=130' examples HeatGrid [steps]</pre>
 */
public final class HeatGrid {
    private static final int STEPS_A_COPY = 20;
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final int steps;
    /** The last two copies of the plate: a rank may have finished a copy that another one has not. */
    private Copy copy = new Copy(0, new double[HeatBlock.ROWS * HeatBlock.COLUMNS]);

    private Copy copyBefore = copy;

    /** The plate as it was after a step, row by row. */
    private record Copy(int step, double[] plate) {}

    HeatGrid(int steps) {
        this.steps = steps;
    }

    public static void main(String[] args) {
        String[] arguments = MPI.Init(args);
        int ranks = MPI.COMM_WORLD.getSize();
        if (ranks > HeatBlock.ROWS) {
            throw new IllegalArgumentException(
                    ranks + " ranks are too many; each needs one of the plate's " + HeatBlock.ROWS + " rows");
        }
        HeatGrid heat = new HeatGrid(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200);
        Intracomm left = heat.run(MPI.COMM_WORLD);
        if (left.getRank() == 0) {
            Print.line(
                    "finished   %d steps on %d %s: checksum %016x",
                    heat.steps, left.getSize(), Survivors.ranks(left.getSize()), heat.checksum());
        }
        MPI.Finalize();
    }

    /** Computes until all ranks that are left have come to the end together. Returns their communicator. */
    Intracomm run(Intracomm world) {
        Intracomm comm = world;
        while (!agreed(comm, compute(comm))) {
            Group failed = comm.agreeFailed();
            comm = comm.shrink();
            if (comm.getRank() == 0) {
                Print.line("recovered  from the death of %s", Survivors.names(failed));
            }
        }
        return comm;
    }

    /** Computes on a new grid of the ranks of this communicator. Returns whether this rank came to the end. */
    private boolean compute(Intracomm comm) {
        CartComm grid = null;
        try {
            grid = grid(comm);
            compute(grid);
            return true;
        } catch (ProcFailedException | RevokedException failure) {
            if (grid != null) {
                // Other ranks may wait for this one in the grid.
                grid.revoke();
            }
            return false;
        } finally {
            if (grid != null) {
                grid.free();
            }
        }
    }

    private static CartComm grid(Intracomm comm) {
        int[] dims = new int[2];
        CartComm.createDims(comm.getSize(), dims);
        CartComm grid = comm.createCart(dims, new boolean[2], true);
        if (grid.getRank() == 0) {
            Print.line("grid       %d x %d ranks", dims[0], dims[1]);
        }
        return grid;
    }

    /**
     * Whether all ranks came to the end and the agreement reports no death. As they agree on it, no rank goes home
     * while another one waits for it in {@code shrink}.
     */
    private static boolean agreed(Intracomm comm, boolean here) {
        try {
            return comm.agree(here ? 1 : 0) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }

    private void compute(CartComm grid) {
        // The least step of all ranks' last copies is that of this rank's last copy or of the one before: no rank is
        // more than one copy behind another.
        int[] from = {copy.step};
        grid.allReduce(from, 1, MPI.INT, MPI.MIN);
        Copy common = copy.step == from[0] ? copy : copyBefore;
        HeatBlock block = new HeatBlock(grid, grid.getRank(), common.plate);
        for (int step = common.step; step < steps; ) {
            MPI.pControl(step + 1, null);
            block.exchange(grid);
            block.relax();
            step++;
            if (step % STEPS_A_COPY == 0 || step == steps) {
                Copy made = new Copy(step, whole(grid, block));
                if (copy.step < step) {
                    copyBefore = copy;
                    copy = made;
                }
            }
        }
    }

    /** The whole plate, at all ranks. */
    private static double[] whole(CartComm grid, HeatBlock block) {
        double[] none = new double[HeatBlock.ROWS * HeatBlock.COLUMNS];
        HeatBlock[] blocks = new HeatBlock[grid.getSize()];
        int[] sizes = new int[blocks.length];
        int[] starts = new int[blocks.length];
        for (int rank = 0; rank < blocks.length; rank++) {
            blocks[rank] = new HeatBlock(grid, rank, none);
            sizes[rank] = blocks[rank].size();
            starts[rank] = rank == 0 ? 0 : starts[rank - 1] + sizes[rank - 1];
        }
        double[] all = new double[none.length];
        grid.allGatherv(block.temperatures(), block.size(), MPI.DOUBLE, all, sizes, starts, MPI.DOUBLE);
        double[] plate = new double[none.length];
        for (int rank = 0; rank < blocks.length; rank++) {
            blocks[rank].place(all, starts[rank], plate);
        }
        return plate;
    }

    /** A checksum of the plate at the end. Another plate, even with a small difference, would hardly have the same. */
    long checksum() {
        long hash = 0;
        for (double temperature : copy.plate) {
            hash = hash * HASH_FACTOR + Double.doubleToRawLongBits(temperature);
        }
        return hash;
    }

    /** The plate in the end, row by row. */
    double[] plate() {
        return copy.plate;
    }
}
