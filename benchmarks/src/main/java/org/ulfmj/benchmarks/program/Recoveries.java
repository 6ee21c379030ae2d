package org.ulfmj.benchmarks.program;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;
import org.ulfmj.rabit.Model;
import org.ulfmj.rabit.Rabit;

/**
 * A program of the recovery mode that measures itself. {@code stall} runs versions with a model of 4 MB and 48 sums of
 * 4 KB each; a rank that was there from the beginning prints the time of its longest call after the first 10 versions.
 * {@code sums} runs allreduces of 4 KB with and without the recovery mode in turn, in versions of 48 and of 1,000; rank
 * 0 prints mean times of one allreduce, and the largest size of the record of results.
 */
public final class Recoveries {
    private static final int MODEL_BYTES = 4 << 20;
    private static final int ITEMS = 512;
    private static final int SUMS = 48;
    private static final int VERSIONS = 40;
    /** How many versions of {@code stall} at the beginning warm up; their calls do not count. */
    private static final int FIRST = 10;

    private static final int SHORT_WARM_UP = 800;
    private static final int SHORTS_A_ROUND = 20;
    private static final int SHORT_VERSIONS = SHORT_WARM_UP + 41 * SHORTS_A_ROUND;
    private static final int LONG_WARM_UP = 4;
    private static final int LONG_VERSIONS = LONG_WARM_UP + 41;
    private static final int LONG_SUMS = 1_000;
    private static final int SETTLING = 4;

    private final double[] items = new double[ITEMS];
    private final Rounds shortVersions = new Rounds(SHORT_VERSIONS, SUMS);
    private final Rounds longVersions = new Rounds(LONG_VERSIONS, LONG_SUMS);
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

    /** Returns a model that is only loaded, and whose size is checked then. */
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

    /** Runs many short versions, whose record of results is small, and then long versions, whose record is large. */
    private void sums() throws MPIException {
        byte[] model = new byte[1];
        for (int version = Rabit.loadCheckpoint(); version < SHORT_VERSIONS + LONG_VERSIONS; version++) {
            boolean isShort = version < SHORT_VERSIONS;
            Rounds rounds = isShort ? shortVersions : longVersions;
            rounds.add(plainRound(rounds.sums), rabitRound(rounds.sums));
            Rabit.checkpoint(model);
        }
        if (Rabit.rank() == 0) {
            shortVersions.print("", SHORT_WARM_UP, SHORTS_A_ROUND);
            longVersions.print(", long", LONG_WARM_UP, 1);
            System.out.println("log " + Rabit.mostLogBytes());
        }
    }

    private long plainRound(int sums) throws MPIException {
        settle();
        long beganNs = System.nanoTime();
        for (int i = 0; i < sums; i++) {
            MPI.COMM_WORLD.allReduce(items, ITEMS, MPI.DOUBLE, MPI.MAX);
        }
        return System.nanoTime() - beganNs;
    }

    private long rabitRound(int sums) throws MPIException {
        settle();
        long beganNs = System.nanoTime();
        for (int i = 0; i < sums; i++) {
            Rabit.allreduce(items, MPI.MAX);
        }
        return System.nanoTime() - beganNs;
    }

    /**
     * Makes some calls that bring the ranks into step, so that the sums measured next do not pay for the calls before.
     */
    private void settle() throws MPIException {
        for (int i = 0; i < SETTLING; i++) {
            MPI.COMM_WORLD.allReduce(items, ITEMS, MPI.DOUBLE, MPI.MAX);
        }
    }

    /** The times of the sums with and without the recovery mode, by version. */
    private static final class Rounds {
        private final int sums;
        private final long[] plainNs;
        private final long[] rabitNs;
        private int size;

        Rounds(int versions, int sums) {
            this.sums = sums;
            plainNs = new long[versions];
            rabitNs = new long[versions];
        }

        void add(long plain, long rabit) {
            plainNs[size] = plain;
            rabitNs[size++] = rabit;
        }

        /**
         * Prints the mean time of one sum, for groups of versions.
         *
         * @param together versions per group
         */
        void print(String kind, int first, int together) {
            for (int from = first; from + together <= size; from += together) {
                print("plain" + kind, plainNs, from, together);
                print("rabit" + kind, rabitNs, from, together);
            }
        }

        private void print(String name, long[] ns, int from, int together) {
            double totalNs = Arrays.stream(ns, from, from + together).sum();
            System.out.println(name + " " + totalNs / 1e3 / sums / together);
        }
    }
}
