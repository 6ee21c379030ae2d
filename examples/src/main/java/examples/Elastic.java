package examples;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/**
 * Learns to read handwritten digits on as many ranks as there are at the time: processes may join while it learns, and
 * ranks may leave or be killed. The weights have the same bits as those of a run with any fixed number of ranks.
 *
 * <p>Each iteration is a function of the weights alone. The images are divided among the ranks that there are, and the
 * gradients are added up as whole numbers, whose sum does not depend on their order. When the ranks change,
 * {@link Resilient} brings them together, and all take the weights of the rank that got furthest.
 *
 * <pre>
 *   bin/mpiexec -n 2:4 --host localhost:2 --report-uri job examples Elastic [iterations [RANKS@ITERATION...]]
 *   bin/mpiexec --join job -n 2 examples Elastic [the same]
 * </pre>
 *
 * <p>{@code 4@100} lets the job wait before iteration 100 until it has exactly four ranks.
 */
public final class Elastic implements Resilient.Loop {
    private final Rehearsal rehearsal;
    private final SoftmaxModel model = new SoftmaxModel();
    private final long[] sums = new long[SoftmaxModel.WEIGHTS + 1];
    private int done;

    Elastic(Rehearsal rehearsal) {
        this.rehearsal = rehearsal;
    }

    public static void main(String[] args) {
        Rehearsal rehearsal = new Rehearsal(MPI.Init(args));
        Rehearsal.tellNewcomer();
        // A rank saves nothing when it gets SIGTERM, because the others have all that it has. The handler is set so
        // that the rank leaves in order, and the others know of it at once.
        MPI.onPreemption(left -> {});
        Elastic elastic = new Elastic(rehearsal);
        Intracomm world = Resilient.run(MPI.COMM_WORLD, Resilient.Policy.ELASTIC, elastic);
        if (world.getRank() == 0) {
            rehearsal.report(elastic.model, world.getSize());
        }
        MPI.Finalize();
    }

    @Override
    public void work(Intracomm comm) {
        int rank = comm.getRank();
        int ranks = comm.getSize();
        DigitImages shard = DigitImages.shard(rank, ranks);
        rehearsal.tellStart(rank, ranks, done + 1);
        while (done < rehearsal.iterations) {
            if (MPI.numWaiting() > 0) {
                comm.revoke(); // calls on it raise RevokedException: here from now on, at each other rank when it hears
            }
            MPI.pControl(done + 1, null);
            if (rehearsal.waitsBefore(done + 1, rank, ranks)) {
                comm.barrier();
            } else {
                train(comm, shard);
            }
        }
    }

    private void train(Intracomm comm, DigitImages shard) {
        Arrays.fill(sums, 0);
        model.addGradient(shard, sums);
        comm.allReduce(sums, sums.length, MPI.LONG, MPI.SUM);
        model.step(sums);
        done++;
    }

    /** Gives all ranks the weights of the rank that has done most iterations. */
    @Override
    public void restore(Intracomm comm, Resilient.Recovery recovery) {
        int[] progress = new int[comm.getSize()];
        comm.allGather(new int[] {done}, 1, MPI.INT, progress, 1, MPI.INT);
        int furthest = 0;
        for (int rank = 1; rank < progress.length; rank++) {
            furthest = progress[rank] > progress[furthest] ? rank : furthest;
        }
        // The broadcast uses a copy of the weights, since a broadcast that fails leaves its buffer unspecified.
        double[] weights = model.weights.clone();
        comm.bcast(weights, weights.length, MPI.DOUBLE, furthest);
        System.arraycopy(weights, 0, model.weights, 0, weights.length);
        done = progress[furthest];
    }

    int checksum() {
        return model.checksum();
    }
}
