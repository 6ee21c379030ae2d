package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mpi.MPI;

/**
 * A program with one collective per version, and a bootstrap phase that makes two operations at one call site: the
 * original Rabit silently got such programs wrong. Every sum is known beforehand. {@link #main} is for ranks that are
 * processes.
 */
public final class OneOperationProgram {
    private static final int VERSIONS = 4;
    private static final int LENGTH = 40;

    final Map<Integer, Long> finalModels = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        OneOperationProgram program = new OneOperationProgram();
        program.run();
        for (long model : program.finalModels.values()) {
            System.out.println("model " + model + ", expected " + expectedModel(Integer.parseInt(args[0])));
        }
    }

    void run() throws Exception {
        Rabit.run(this::program);
    }

    private void program() {
        int ranks = Rabit.worldSize();
        long seeds = 0;
        for (int i = 1; i <= 2; i++) {
            long[] seed = {i * 100L + Rabit.rank()};
            Rabit.allreduce(seed, MPI.SUM);
            require(ranks * i * 100L + ranks * (ranks - 1) / 2, seed[0], "bootstrap operation " + i);
            seeds = seeds * 31 + seed[0];
        }
        int version = Rabit.loadCheckpoint();
        long model = version == 0 ? seeds : ByteBuffer.wrap(Rabit.globalModel()).getLong();
        for (; version < VERSIONS; version++) {
            long[] data = new long[LENGTH];
            for (int i = 0; i < LENGTH; i++) {
                data[i] = (Rabit.rank() + 1L) * (i + version);
            }
            Rabit.allreduce(data, MPI.SUM);
            for (int i = 0; i < LENGTH; i++) {
                require(ranks * (ranks + 1L) / 2 * (i + version), data[i], "version " + version);
                model = model * 31 + data[i];
            }
            Rabit.checkpoint(ByteBuffer.allocate(Long.BYTES).putLong(0, model));
        }
        finalModels.put(Rabit.rank(), model);
    }

    private static void require(long expected, long actual, String what) {
        if (expected != actual) {
            throw new AssertionError("rank " + Rabit.rank() + ", " + what + ": " + actual + ", not " + expected);
        }
    }

    /** Returns the model of a run without failure. */
    static long expectedModel(int ranks) {
        long model = 0;
        for (int i = 1; i <= 2; i++) {
            model = model * 31 + ranks * i * 100L + ranks * (ranks - 1) / 2;
        }
        for (int version = 0; version < VERSIONS; version++) {
            for (int i = 0; i < LENGTH; i++) {
                model = model * 31 + ranks * (ranks + 1L) / 2 * (i + version);
            }
        }
        return model;
    }
}
