package org.ulfmj.testkit;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * A program of collectives of several kinds and sizes. Every rank checks the results that it gets, which it can
 * compute; when a collective fails, the survivors shrink and begin anew. Public, since the worlds of mutants call it.
 */
public final class HostCollectivesStory {
    private static final int OPERATIONS = 40;

    private final long seed;
    /** For each barrier, named by its key: the ranks that have entered it. All ranks of one run share this object. */
    private final Map<String, Set<Integer>> entered = new ConcurrentHashMap<>();

    private HostCollectivesStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program under the seeds from {@code first} to {@code last}, and stops soon after ten have failed.
     * Returns what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new HostCollectivesStory(seed)::main);
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> operations(phase[0]++, comm));
        MPI.Finalize();
    }

    private void operations(int phase, Intracomm comm) throws MPIException {
        SplittableRandom random = new SplittableRandom(seed * 31 + phase);
        int size = comm.getSize();
        for (int operation = 0; operation < OPERATIONS; operation++) {
            // Some steps make up to 99 bcasts or reduces in turn: in such a series a rank can get far ahead of another.
            int kind = random.nextInt(8);
            int root = random.nextInt(size);
            int count = random.nextInt(4) == 0 ? random.nextInt(1, 2_000) : random.nextInt(1, 30);
            int repeats = kind == 1 || kind == 3 ? random.nextInt(1, 100) : 1;
            for (int repeat = 0; repeat < repeats; repeat++) {
                one(comm, kind, root, count, phase * 1_000_000 + operation * 1_000 + repeat);
            }
        }
    }

    private void one(Intracomm comm, int kind, int root, int count, int operation) throws MPIException {
        int rank = comm.getRank();
        int size = comm.getSize();
        double[] mine = values(rank, operation, count);
        switch (kind) {
            case 0 -> barrier(comm, operation);
            case 1, 2 -> {
                double[] data = rank == root ? mine : new double[count];
                comm.bcast(data, count, MPI.DOUBLE, root);
                require(data, values(root, operation, count), "bcast", operation);
            }
            case 3 -> {
                double[] result = new double[count];
                comm.reduce(mine, result, count, MPI.DOUBLE, MPI.SUM, root);
                if (rank == root) {
                    require(result, combined(size, operation, count), "reduce", operation);
                }
            }
            case 4 -> {
                int part = Math.min(count, 100);
                double[] all = new double[size * part];
                comm.allGather(mine, part, MPI.DOUBLE, all, part, MPI.DOUBLE);
                for (int other = 0; other < size; other++) {
                    require(slice(all, other, part), values(other, operation, part), "allGather", operation);
                }
            }
            case 5 -> {
                int part = Math.min(count, 20);
                double[] all = new double[size * part];
                comm.allToAll(values(rank, operation, size * part), part, MPI.DOUBLE, all, part, MPI.DOUBLE);
                for (int other = 0; other < size; other++) {
                    double[] its = slice(values(other, operation, size * part), rank, part);
                    require(slice(all, other, part), its, "allToAll", operation);
                }
            }
            default -> {
                comm.allReduce(mine, count, MPI.DOUBLE, MPI.SUM);
                require(mine, combined(size, operation, count), "allReduce", operation);
            }
        }
    }

    private void barrier(Intracomm comm, int operation) throws MPIException {
        Set<Integer> ranks = entered.computeIfAbsent("barrier " + operation, key -> ConcurrentHashMap.newKeySet());
        ranks.add(comm.getRank());
        comm.barrier();
        if (ranks.size() < comm.getSize()) {
            throw new AssertionError("rank " + comm.getRank() + " left barrier " + operation + " with only " + ranks);
        }
    }

    static double[] values(int rank, int operation, int count) {
        double[] values = new double[count];
        fill(count, i -> values[i] = Math.sin(rank * 31.7 + operation * 7.1 + i * 0.37));
        return values;
    }

    private static void fill(int count, IntConsumer one) {
        for (int i = 0; i < count; i++) {
            one.accept(i);
        }
    }

    /**
     * Returns the expected result of a reduction, exact to the last bit: the values are combined in the order of the
     * tree that docs/inside/collectives.md describes.
     */
    static double[] combined(int size, int operation, int count) {
        int numbers = Integer.highestOneBit(size);
        int pairs = size - numbers;
        double[][] blocks = new double[numbers][];
        for (int number = 0; number < numbers; number++) {
            boolean isPair = number < pairs;
            blocks[number] = values(isPair ? 2 * number : number + pairs, operation, count);
            if (isPair) {
                add(blocks[number], values(2 * number + 1, operation, count));
            }
        }
        for (int step = 1; step < numbers; step *= 2) {
            for (int number = 0; number < numbers; number += 2 * step) {
                add(blocks[number], blocks[number + step]);
            }
        }
        return blocks[0];
    }

    private static void add(double[] lower, double[] higher) {
        fill(lower.length, i -> lower[i] += higher[i]);
    }

    static double[] slice(double[] all, int part, int count) {
        return Arrays.copyOfRange(all, part * count, (part + 1) * count);
    }

    static void require(double[] actual, double[] expected, String operation, int number) {
        for (int i = 0; i < expected.length; i++) {
            if (actual[i] != expected[i]) {
                throw new AssertionError(operation + " " + number + " of " + expected.length + " gave " + actual[i]
                        + " at " + i + ", right is " + expected[i]);
            }
        }
    }
}
