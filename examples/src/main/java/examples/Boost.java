package examples;

import examples.boost.Cuts;
import examples.boost.Forest;
import examples.boost.Grower;
import examples.boost.LossFunction;
import examples.boost.Masses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import mpi.MPI;
import org.ulfmj.rabit.Model;
import org.ulfmj.rabit.Rabit;

/**
 * Learns boosted trees from a table of breast masses, whose training rows are divided among the ranks. When ranks die,
 * the launcher starts them again, as often as {@code --max-restarts} allows, {@link Rabit} gives them the trees so far
 * and the sums since then, and they go on at the point that the other ranks have reached. With and without deaths the
 * trees are the same to the last bit.
 *
 * <pre>
 *   bin/mpiexec -n 4 --max-restarts 3 --inject 'kill:rank=any(1)@t=random' examples Boost
 *   examples Boost [trees [logistic|squared [file for the model]]]
 * </pre>
 */
public final class Boost implements Model {
    private static final int TREES = 300;

    private final int trees;
    private final LossFunction loss;
    private Forest forest = new Forest();

    private Boost(int trees, LossFunction loss) {
        this.trees = trees;
        this.loss = loss;
    }

    public static void main(String[] args) throws Exception {
        int trees = args.length > 0 ? Integer.parseInt(args[0]) : TREES;
        LossFunction loss = args.length > 1 ? LossFunction.named(args[1]) : LossFunction.LOGISTIC;
        Path file = args.length > 2 ? Path.of(args[2]) : null;
        Rabit.run(() -> new Boost(trees, loss).learn(file));
    }

    /**
     * Loads the last checkpoint, if there is one, and learns the trees that it lacks. {@link Rabit} runs this method in
     * each process that is started, and again when the program has to go back to a checkpoint.
     */
    private void learn(Path file) throws IOException {
        Masses shard = Masses.training(firstRow(Rabit.rank()), firstRow(Rabit.rank() + 1));
        Grower grower = new Grower(shard, loss, cutsOfAll(shard));
        int done = Rabit.loadCheckpoint(this);
        greet(done);
        grower.goOnFrom(forest);
        for (int tree = done; tree < trees; tree++) {
            MPI.pControl(tree + 1, null);
            grower.growOn(forest, sums -> Rabit.allreduce(sums, MPI.SUM));
            Rabit.checkpoint(this);
        }
        int[] restarts = {MPI.getIncarnation()};
        Rabit.allreduce(restarts, MPI.SUM);
        if (Rabit.rank() == 0) {
            report(restarts[0]);
            if (file != null) {
                Files.write(file, forest.toBytes());
            }
        }
    }

    private static int firstRow(int rank) {
        return Masses.TRAINING_COUNT * rank / Rabit.worldSize();
    }

    /**
     * Returns the cuts that follow from the least and the greatest value of each feature over all shards. A process
     * that is started again gets the result that the other ranks got at that time.
     */
    private static Cuts cutsOfAll(Masses shard) {
        double[] least = new double[Masses.FEATURES];
        double[] greatest = new double[Masses.FEATURES];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
        for (int row = 0; row < shard.count(); row++) {
            for (int feature = 0; feature < Masses.FEATURES; feature++) {
                least[feature] = Math.min(least[feature], shard.measure(row, feature));
                greatest[feature] = Math.max(greatest[feature], shard.measure(row, feature));
            }
        }
        Rabit.allreduce(least, MPI.MIN);
        Rabit.allreduce(greatest, MPI.MAX);
        return new Cuts(least, greatest);
    }

    private void greet(int done) {
        if (MPI.isReplacement()) {
            Print.line(
                    "back       rank %d, process %d of it, with %d trees",
                    Rabit.rank(), MPI.getIncarnation() + 1, done);
        } else if (Rabit.rank() == 0 && done == 0) {
            Print.line(
                    "boost      %d masses to learn from and %d to test with, on %d %s",
                    Masses.TRAINING_COUNT, Masses.TEST_COUNT, Rabit.worldSize(), Survivors.ranks(Rabit.worldSize()));
        }
    }

    private void report(int restarts) {
        Masses test = Masses.test();
        int told = forest.countTold(test, loss);
        CRC32 checksum = new CRC32();
        checksum.update(forest.toBytes());
        Print.line(
                "finished   %d trees, test accuracy %.1f %% (%d of %d), model %08x",
                forest.size(), 100.0 * told / test.count(), told, test.count(), checksum.getValue());
        if (restarts > 0) {
            int ranks = Rabit.worldSize();
            Print.line(
                    "saved      %d container requests and partitions read; all anew at each death: %d",
                    ranks + restarts, ranks * (1 + restarts));
        }
    }

    @Override
    public ByteBuffer save() {
        return ByteBuffer.wrap(forest.toBytes());
    }

    @Override
    public void load(ByteBuffer saved) {
        byte[] bytes = new byte[saved.remaining()];
        saved.get(bytes);
        forest = Forest.of(bytes);
    }
}
