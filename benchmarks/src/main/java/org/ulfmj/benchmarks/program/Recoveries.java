package org.ulfmj.benchmarks.program;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;
import org.ulfmj.rabit.Model;
import org.ulfmj.rabit.Rabit;

/**
 * A program of the recovery mode that measures itself. {@code stall}: versions with a model of 4 MB and 48 sums of 4 KB each; a
 * rank that was there from the beginning prints the longest time that one call took it. {@code sums}: sums of 4 KB with and
 * without the recovery mode in turn; rank 0 prints what one takes, and the most that the record of results took.
 */
public final class Recoveries {
    private static final int MODEL_BYTES = 4 << 20;
    private static final int ITEMS = 512;
    private static final int SUMS = 48;
    private static final int VERSIONS = 40;
    /** Versions that warm up, and whose calls are not looked at. */
    private static final int FIRST = 10;

    private static final int ROUNDS = 41;
    private static final int WARM_UP = 40;
    private static final int SUMS_A_ROUND = 1_000;

    private final double[] items = new double[ITEMS];
    private long longestNs;

    private Recoveries() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("stall")) {
            Rabit.run(() -> new Recoveries().stall());
        } else {
            Rabit.run(() -> new Recoveries().sums());
        }
    }

    private void stall() {
        ByteBuffer model = ByteBuffer.allocate(MODEL_BYTES);
        for (int version = Rabit.loadCheckpoint(loaded()); version < VERSIONS; version++) {
            for (int i = 0; i < SUMS; i++) {
                long beganNs = System.nanoTime();
                sum();
                look(version, beganNs);
            }
            long beganNs = System.nanoTime();
            Rabit.checkpoint(model.duplicate());
            look(version, beganNs);
        }
        if (!MPI.isReplacement()) {
            System.out.println("stall " + longestNs / 1e3);
        }
    }

    /** The model of this program is only big. */
    private static Model loaded() {
        return new Model() {
            @Override
            public ByteBuffer save() {
                throw new IllegalStateException("this model is only loaded");
            }

            @Override
            public void load(ByteBuffer saved) {
                if (saved.remaining() != MODEL_BYTES) {
                    throw new IllegalStateException("loaded " + saved.remaining() + " of " + MODEL_BYTES + " bytes");
                }
            }
        };
    }

    private void sum() {
        Arrays.fill(items, 1);
        Rabit.allreduce(items, MPI.SUM);
        if (items[ITEMS - 1] != Rabit.worldSize()) {
            throw new IllegalStateException("a sum of ones is " + items[ITEMS - 1]);
        }
    }

    private void look(int version, long beganNs) {
        if (version >= FIRST) {
            longestNs = Math.max(longestNs, System.nanoTime() - beganNs);
        }
    }

    private void sums() throws MPIException {
        byte[] model = new byte[1];
        for (int round = Rabit.loadCheckpoint(); round < WARM_UP + ROUNDS; round++) {
            long plainNs = plainRound();
            long rabitNs = rabitRound();
            if (round >= WARM_UP && Rabit.rank() == 0) {
                System.out.println("plain " + plainNs / 1e3 / SUMS_A_ROUND);
                System.out.println("rabit " + rabitNs / 1e3 / SUMS_A_ROUND);
            }
            Rabit.checkpoint(model);
        }
        if (Rabit.rank() == 0) {
            System.out.println("log " + Rabit.mostLogBytes());
        }
    }

    private long plainRound() throws MPIException {
        MPI.COMM_WORLD.barrier();
        long beganNs = System.nanoTime();
        for (int i = 0; i < SUMS_A_ROUND; i++) {
            MPI.COMM_WORLD.allReduce(items, ITEMS, MPI.DOUBLE, MPI.MAX);
        }
        return System.nanoTime() - beganNs;
    }

    private long rabitRound() throws MPIException {
        MPI.COMM_WORLD.barrier();
        long beganNs = System.nanoTime();
        for (int i = 0; i < SUMS_A_ROUND; i++) {
            Rabit.allreduce(items, MPI.MAX);
        }
        return System.nanoTime() - beganNs;
    }
}
