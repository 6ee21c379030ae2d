package examples;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.MPI;
import org.ulfmj.rabit.Model;
import org.ulfmj.rabit.Rabit;

/**
 * {@link Elastic} with {@link Rabit}: each iteration ends with a checkpoint, after which processes that wait come in.
 * If the ranks have changed, all run the function {@code learn} from its top, load the checkpoint, which a process that
 * came in gets from its peers' memory, and divide the images anew. The weights are those of {@link Elastic}, to the
 * last bit.
 *
 * <pre>
 *   bin/mpiexec -n 2:4 --host localhost:2 --report-uri job examples ElasticRabit [iterations [RANKS@ITERATION...]]
 *   bin/mpiexec --join job -n 2 examples ElasticRabit [the same]
 * </pre>
 */
public final class ElasticRabit implements Model {
    private final Rehearsal rehearsal;
    private final SoftmaxModel model = new SoftmaxModel();
    private int done;
    private int rank;
    private int ranks;

    private ElasticRabit(Rehearsal rehearsal) {
        this.rehearsal = rehearsal;
    }

    public static void main(String[] args) throws Exception {
        Rehearsal rehearsal = new Rehearsal(MPI.Init(args));
        Rehearsal.tellNewcomer();
        MPI.onPreemption(left -> {}); // the others have all that a rank would save
        ElasticRabit[] last = new ElasticRabit[1];
        Rabit.run(() -> {
            last[0] = new ElasticRabit(rehearsal);
            last[0].learn();
        });
        // The result is reported only after the loop has ended: a change of the ranks after the last version would have
        // run learn() again.
        if (last[0].rank == 0) {
            rehearsal.report(last[0].model, last[0].ranks);
        }
    }

    /**
     * Loads the last checkpoint, if there is one, and makes the iterations that it lacks. {@link Rabit} runs this
     * method again when the ranks have changed.
     */
    private void learn() {
        rank = Rabit.rank();
        ranks = Rabit.worldSize();
        DigitImages shard = DigitImages.shard(rank, ranks);
        Rabit.loadCheckpoint(this);
        rehearsal.tellStart(rank, ranks, done + 1);
        while (done < rehearsal.iterations) {
            if (!rehearsal.waitsBefore(done + 1, rank, ranks)) {
                train(shard);
            }
            Rabit.checkpoint(this);
        }
    }

    private void train(DigitImages shard) {
        long[] sums = new long[SoftmaxModel.WEIGHTS + 1];
        Rabit.allreduce(sums, MPI.SUM, () -> {
            Arrays.fill(sums, 0);
            model.addGradient(shard, sums);
        });
        model.step(sums);
        done++;
    }

    @Override
    public ByteBuffer save() {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + SoftmaxModel.WEIGHTS * Double.BYTES);
        bytes.putInt(done).asDoubleBuffer().put(model.weights);
        return bytes.rewind();
    }

    @Override
    public void load(ByteBuffer saved) {
        done = saved.getInt();
        saved.asDoubleBuffer().get(model.weights);
    }
}
