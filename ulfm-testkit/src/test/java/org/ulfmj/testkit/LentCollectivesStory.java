package org.ulfmj.testkit;

import java.nio.LongBuffer;
import java.util.SplittableRandom;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * A program of collectives on lent memory; now and then one rank sends from other memory. When a collective has ended,
 * with or without success, each rank overwrites its lent send buffer. When a collective fails the survivors shrink and
 * begin anew. Public, since the worlds of mutants call it.
 */
public final class LentCollectivesStory {
    private static final int OPERATIONS = 12;
    /** The least number of longs of a part that other ranks may read directly in lent memory. */
    private static final int LEAST_LONGS = 2_048;

    private static final int MOST_LONGS = 2_500;
    private static final int MOST_RANKS = 5;
    /** A value that no rank gives. */
    private static final long SPOILED = -1;

    private final long seed;

    private LentCollectivesStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program under the seeds from {@code first} to {@code last}, and stops soon after ten have failed.
     * Returns what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new LentCollectivesStory(seed)::main);
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        Rank rank = new Rank(seed);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> rank.operations(phase[0]++, comm));
        MPI.Finalize();
    }

    /** What one rank has. */
    private static final class Rank {
        private final long seed;
        private final LongBuffer lent;
        private final LongBuffer in;
        private final long[] plain = new long[MOST_RANKS * MOST_LONGS];

        Rank(long seed) {
            this.seed = seed;
            this.lent = LentBuffers.longs(MOST_RANKS * MOST_LONGS, seed);
            this.in = LentBuffers.longs(MOST_RANKS * MOST_LONGS, seed);
        }

        void operations(int phase, Intracomm comm) throws MPIException {
            SplittableRandom random = new SplittableRandom(seed * 31 + phase);
            for (int i = 0; i < OPERATIONS; i++) {
                int number = phase * OPERATIONS + i;
                int part = random.nextInt(LEAST_LONGS, MOST_LONGS);
                boolean isMixed = random.nextInt(4) == 0;
                boolean isPlain = isMixed && random.nextInt(comm.getSize()) == comm.getRank();
                switch (random.nextInt(3)) {
                    case 0 -> allGather(comm, number, part, isPlain);
                    case 1 -> allGatherInPlace(comm, number, part);
                    default -> allToAll(comm, number, part, isPlain);
                }
            }
        }

        private void allGather(Intracomm comm, int number, int part, boolean isPlain) throws MPIException {
            int rank = comm.getRank();
            try {
                put(0, part, value(number, rank, 0));
                comm.allGather(isPlain ? plain : lent, part, MPI.LONG, in, part, MPI.LONG);
                for (int other = 0; other < comm.getSize(); other++) {
                    require(in, other * part, part, value(number, other, 0), "allGather");
                }
            } finally {
                spoil();
            }
        }

        private void allGatherInPlace(Intracomm comm, int number, int part) throws MPIException {
            int rank = comm.getRank();
            try {
                put(rank * part, part, value(number, rank, 0));
                comm.allGather(lent, part, MPI.LONG);
                for (int other = 0; other < comm.getSize(); other++) {
                    require(lent, other * part, part, value(number, other, 0), "allGather in place");
                }
            } finally {
                spoil();
            }
        }

        private void allToAll(Intracomm comm, int number, int part, boolean isPlain) throws MPIException {
            int rank = comm.getRank();
            try {
                for (int other = 0; other < comm.getSize(); other++) {
                    put(other * part, part, value(number, rank, other));
                }
                comm.allToAll(isPlain ? plain : lent, part, MPI.LONG, in, part, MPI.LONG);
                for (int other = 0; other < comm.getSize(); other++) {
                    require(in, other * part, part, value(number, other, rank), "allToAll");
                }
            } finally {
                spoil();
            }
        }

        private void put(int at, int count, long first) {
            for (int i = 0; i < count; i++) {
                lent.put(at + i, first + i);
                plain[at + i] = first + i;
            }
        }

        private void spoil() {
            for (int i = 0; i < lent.capacity(); i++) {
                lent.put(i, SPOILED);
            }
        }

        private static long value(int number, int from, int to) {
            return (((long) number * MOST_RANKS + from) * MOST_RANKS + to + 1) << 20;
        }

        private static void require(LongBuffer data, int at, int count, long first, String operation) {
            for (int i = 0; i < count; i++) {
                if (data.get(at + i) != first + i) {
                    throw new AssertionError(operation + " gave " + data.get(at + i) + " at " + (at + i)
                            + " in parts of " + count + ", right is " + (first + i));
                }
            }
        }
    }
}
