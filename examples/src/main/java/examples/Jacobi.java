package examples;

import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Resilient;

/**
 * Heat spreads in a plate: one edge is hot, the others are cold, and in each step every point takes the mean of its
 * four neighbours. Each rank has some rows of the plate and gets the rows next to them from its neighbours by
 * {@code iSend} and {@code iRecv}, while it computes the rows that need none of these.
 *
 * <p>Every {@value #STEPS_A_COPY} steps each rank copies its rows to its right neighbour, in memory. When ranks die,
 * the survivors go back to the newest step whose rows are all left, divide the rows anew and go on. If both copies of a
 * row are gone, because two neighbours died together, the survivors begin again from the cold plate.
 *
 * <p><b>The result is the same to the last bit</b> after any deaths, and for any number of ranks. A point's temperature
 * is computed from its neighbours by one expression, at any rank. The mean is not an {@code allReduce} with
 * {@code SUM}, which may round differently for another number of ranks: each row is added up from left to right by the
 * rank that has it, and the sums of the rows are added from the top to the bottom.
 *
 * <pre>  bin/mpiexec -n 4 --inject 'kill:rank=1@iter=815; kill:rank=2@iter=1438' examples Jacobi [steps]</pre>
 */
public final class Jacobi implements Resilient.Loop {
    private static final int STEPS_A_COPY = 20;
    private static final int UP = 1;
    private static final int DOWN = 2;
    /**
     * How many numbers the ranks collect per row at the end: its sum, its temperature in the middle, and a hash of its
     * bits.
     */
    private static final int FACTS = 3;

    private static final int SAMPLES = 8;
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final int steps;
    private final BuddyCopies copies = new BuddyCopies();
    private final long[] facts = new long[HeatStrip.ROWS * FACTS];
    private HeatStrip strip;
    private int step;

    Jacobi(int steps) {
        this.steps = steps;
    }

    public static void main(String[] args) {
        String[] arguments = MPI.Init(args);
        int steps = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        int ranks = MPI.COMM_WORLD.getSize();
        if (ranks > HeatStrip.ROWS) {
            throw new IllegalArgumentException(
                    ranks + " ranks are too many; each needs one of the plate's " + HeatStrip.ROWS + " rows");
        }
        if (MPI.COMM_WORLD.getRank() == 0) {
            Print.line(
                    "plate      %d x %d points, %.0f degrees at the upper edge, 0 at the others, %d steps",
                    HeatStrip.ROWS, HeatStrip.COLUMNS, HeatStrip.HOT, steps);
        }
        Jacobi jacobi = new Jacobi(steps);
        Intracomm left = Resilient.run(MPI.COMM_WORLD, jacobi);
        if (left.getRank() == 0) {
            jacobi.report(left.getSize());
        }
        MPI.Finalize();
    }

    @Override
    public void work(Intracomm comm) {
        if (strip == null) {
            strip = HeatStrip.of(comm.getRank(), comm.getSize());
        }
        if (comm.getRank() == 0) {
            tellRows(comm.getSize());
        }
        // A first copy, since the rows may have been divided anew since the last one.
        copies.save(comm, step, strip);
        while (step < steps) {
            MPI.pControl(step + 1, null);
            advance(comm);
            step++;
            if (step % STEPS_A_COPY == 0) {
                copies.save(comm, step, strip);
            }
        }
        collectFacts(comm);
    }

    @Override
    public void restore(Intracomm comm, Resilient.Recovery recovery) {
        int reached = step;
        BuddyCopies.Restored restored = copies.restore(comm);
        // The strip has new buffers: in the old ones a receive that failed may have left half a row.
        strip = restored.strip();
        step = restored.step();
        if (comm.getRank() == 0) {
            Print.line(
                    "recovered  from the death of %s: back from step %d to %s",
                    Survivors.names(recovery.getFailed()),
                    reached,
                    step == 0 ? "the cold plate" : Integer.toString(step));
        }
    }

    private void advance(Intracomm comm) {
        int rank = comm.getRank();
        int above = rank == 0 ? MPI.PROC_NULL : rank - 1;
        int below = rank == comm.getSize() - 1 ? MPI.PROC_NULL : rank + 1;
        int first = strip.first();
        int last = first + strip.count() - 1;
        Request[] halo = {
            comm.iRecv(strip.from(first - 1), HeatStrip.WIDTH, MPI.DOUBLE, above, DOWN),
            comm.iRecv(strip.from(last + 1), HeatStrip.WIDTH, MPI.DOUBLE, below, UP),
            comm.iSend(strip.from(first), HeatStrip.WIDTH, MPI.DOUBLE, above, UP),
            comm.iSend(strip.from(last), HeatStrip.WIDTH, MPI.DOUBLE, below, DOWN)
        };
        strip.relax(first + 1, last - 1);
        Request.waitAll(halo);
        strip.relax(first, first);
        strip.relax(Math.max(first + 1, last), last);
        strip.turn();
    }

    /** Gives all ranks the sum, the middle temperature and the hash of every row. */
    private void collectFacts(Intracomm comm) {
        long[] own = new long[strip.count() * FACTS];
        for (int i = 0; i < strip.count(); i++) {
            int row = strip.first() + i;
            double sum = 0;
            long hash = 0;
            for (int column = 1; column <= HeatStrip.COLUMNS; column++) {
                double temperature = strip.temperature(row, column);
                sum += temperature;
                hash = hash * HASH_FACTOR + Double.doubleToRawLongBits(temperature);
            }
            own[i * FACTS] = Double.doubleToRawLongBits(sum);
            own[i * FACTS + 1] = Double.doubleToRawLongBits(strip.temperature(row, HeatStrip.COLUMNS / 2));
            own[i * FACTS + 2] = hash;
        }
        int[] lengths = new int[comm.getSize()];
        int[] starts = new int[comm.getSize()];
        for (int rank = 0; rank < lengths.length; rank++) {
            starts[rank] = (HeatStrip.firstRow(rank, lengths.length) - 1) * FACTS;
            lengths[rank] = (HeatStrip.firstRow(rank + 1, lengths.length) - 1) * FACTS - starts[rank];
        }
        comm.allGatherv(own, own.length, MPI.LONG, facts, lengths, starts, MPI.LONG);
    }

    /** The mean temperature, added up in the order of the rows. */
    double mean() {
        double sum = 0;
        for (int i = 0; i < HeatStrip.ROWS; i++) {
            sum += Double.longBitsToDouble(facts[i * FACTS]);
        }
        return sum / (HeatStrip.ROWS * HeatStrip.COLUMNS);
    }

    /** A checksum of the plate. Another plate, even with a small difference, would hardly have the same one. */
    long checksum() {
        long hash = 0;
        for (int i = 0; i < HeatStrip.ROWS; i++) {
            hash = hash * HASH_FACTOR + facts[i * FACTS + 2];
        }
        return hash;
    }

    private static void tellRows(int ranks) {
        StringBuilder line = new StringBuilder();
        for (int rank = 0; rank < ranks; rank++) {
            line.append(' ').append(HeatStrip.firstRow(rank + 1, ranks) - HeatStrip.firstRow(rank, ranks));
        }
        Print.line("%3d %-6s rows%s", ranks, Survivors.ranks(ranks), line);
    }

    private void report(int ranks) {
        StringBuilder line = new StringBuilder();
        for (int sample = 0; sample < SAMPLES; sample++) {
            int row = sample * HeatStrip.ROWS / SAMPLES;
            line.append(String.format(Locale.ROOT, "%6.1f", Double.longBitsToDouble(facts[row * FACTS + 1])));
        }
        System.out.println("downwards  " + line.substring(1));
        Print.line(
                "finished   %d steps on %d %s: mean %.6f degrees, checksum %016x",
                steps, ranks, Survivors.ranks(ranks), mean(), checksum());
    }
}
