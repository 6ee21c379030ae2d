package org.ulfmj.rabit.sweep;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import mpi.MPI;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rabit.Model;
import org.ulfmj.rabit.Rabit;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A program of five versions whose model, a row of doubles, follows from every result, so that one wrong or un-reduced
 * value anywhere is in the models after it. One object per run.
 */
final class VersionsProgram {
    static final int VERSIONS = 5;
    private static final int COLUMNS = 48;
    private static final int BOOTSTRAPS = 2;

    private final int ranks;
    private final int operations;
    private final Map<ProcessId, byte[]> models = new ConcurrentSkipListMap<>();

    /** @param operations of each version: 1 is an allreduce, 2 and 3 add broadcasts, 4 adds an allgather */
    VersionsProgram(int ranks, int operations) {
        this.ranks = ranks;
        this.operations = operations;
    }

    /** What the ranks train. */
    private static final class Row implements Model {
        final double[] weights = new double[COLUMNS];

        @Override
        public ByteBuffer save() {
            ByteBuffer bytes = ByteBuffer.allocate(COLUMNS * Double.BYTES);
            bytes.asDoubleBuffer().put(weights);
            return bytes;
        }

        @Override
        public void load(ByteBuffer saved) {
            saved.asDoubleBuffer().get(weights);
        }
    }

    SimResult run(int restarts, long seed, String faults) {
        return SimWorld.of(ranks).restarting(restarts).seed(seed).faults(faults).run(this::main);
    }

    private void main() throws Exception {
        Row[] row = new Row[1];
        ProcessId[] id = new ProcessId[1];
        Rabit.run(() -> {
            row[0] = new Row();
            id[0] = new ProcessId(Rabit.rank(), MPI.getIncarnation());
            bootstrap(row[0]);
            for (int version = Rabit.loadCheckpoint(row[0]); version < VERSIONS; version++) {
                improve(row[0], version);
                Rabit.checkpoint(row[0]);
            }
        });
        models.put(id[0], row[0].save().array());
    }

    /** Makes several operations at one place of the program, which must be told apart when they are replayed. */
    private void bootstrap(Row row) {
        for (int i = 0; i < BOOTSTRAPS; i++) {
            double[] sum = {(Rabit.rank() + 1) * (i + 1)};
            Rabit.allreduce(sum, MPI.SUM);
            double expected = (i + 1) * ranks * (ranks + 1) / 2.0;
            if (sum[0] != expected) {
                throw new AssertionError("bootstrap " + i + " gave " + sum[0] + " instead of " + expected);
            }
            row.weights[i] = sum[0];
        }
    }

    private void improve(Row row, int version) {
        double[] gradients = new double[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            gradients[i] = Math.sin(row.weights[i] + Rabit.rank() * 0.1 + version + i);
        }
        Rabit.allreduce(gradients, MPI.SUM);
        for (int i = 0; i < COLUMNS; i++) {
            row.weights[i] += gradients[i] * 0.25;
        }
        for (int extra = 1; extra < operations; extra++) {
            if (extra % 3 == 0) {
                double[] all = new double[ranks];
                Rabit.allgather(new double[] {row.weights[extra] * (Rabit.rank() + 1)}, all);
                row.weights[extra] += Arrays.stream(all).sum();
            } else {
                double[] block = {Rabit.rank() == extra % ranks ? row.weights[extra] / (extra + 2) : Double.NaN};
                Rabit.broadcast(block, extra % ranks);
                row.weights[extra] += block[0];
            }
        }
    }

    /** Returns the model of the lowest rank that came to the end; null if none did. */
    byte[] model() {
        return models.values().stream().findFirst().orElse(null);
    }

    /** Throws unless all ranks that survived came to the end with this very model. */
    void check(LocalResult ends, byte[] expected) {
        ends.requireSurvivorsSucceeded();
        for (ProcessId id : ends.processes(RankEnd.FINALIZED)) {
            if (!Arrays.equals(models.get(id), expected)) {
                throw new AssertionError("the model of " + id + " is not that of the run without a failure: "
                        + ByteBuffer.wrap(models.get(id)).getDouble(0) + " instead of "
                        + ByteBuffer.wrap(expected).getDouble(0));
            }
        }
        if (models.isEmpty()) {
            throw new AssertionError("nobody came to the end: " + ends);
        }
    }
}
