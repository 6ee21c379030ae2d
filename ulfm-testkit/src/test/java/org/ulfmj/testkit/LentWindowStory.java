package org.ulfmj.testkit;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * A program of non-blocking collectives on lent memory, two at a time; now and then one rank sends from other memory.
 * When a collective is complete, with or without success, each rank overwrites its lent buffers of that collective.
 * When a collective fails the survivors shrink and begin anew. Public, since the worlds of mutants call it.
 */
public final class LentWindowStory {
    private static final int STEPS = 8;
    private static final int PAIR = 2;
    private static final int MOST_LONGS = 2_500;
    private static final int MOST_RANKS = 5;
    /** What no rank gives. */
    private static final long SPOILED = -1;

    private final long seed;

    private LentWindowStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program under the seeds from {@code first} to {@code last}, and stops soon after ten have failed.
     * Returns what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new LentWindowStory(seed)::main);
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        Buffers[] buffers = {new Buffers(seed), new Buffers(seed)};
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> operations(phase[0]++, comm, buffers));
        MPI.Finalize();
    }

    /** The buffers of one operation. */
    private static final class Buffers {
        private final LongBuffer lent;
        private final LongBuffer in;
        private final LongBuffer plain = LongBuffer.allocate(MOST_RANKS * MOST_LONGS);

        Buffers(long seed) {
            lent = LentBuffers.longs(MOST_RANKS * MOST_LONGS, seed);
            in = LentBuffers.longs(MOST_RANKS * MOST_LONGS, seed);
        }

        void put(int at, int count, long first) {
            for (int i = 0; i < count; i++) {
                lent.put(at + i, first + i);
                plain.put(at + i, first + i);
            }
        }

        void spoil() {
            for (int i = 0; i < lent.capacity(); i++) {
                lent.put(i, SPOILED);
                in.put(i, SPOILED);
            }
        }
    }

    /** An operation that was begun. */
    private record Begun(Request request, Runnable check, Buffers buffers) {}

    private void operations(int phase, Intracomm comm, Buffers[] buffers) throws MPIException {
        SplittableRandom shared = new SplittableRandom(seed * 31 + phase);
        SplittableRandom own = new SplittableRandom(seed * 37 + phase * 64 + comm.getRank());
        List<Begun> open = new ArrayList<>();
        try {
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < PAIR; i++) {
                    int number = (phase * STEPS + step) * PAIR + i;
                    open.add(begin(comm, shared, number, buffers[i]));
                }
                while (!open.isEmpty()) {
                    complete(open.remove(own.nextInt(open.size())));
                }
            }
        } finally {
            for (Begun each : open) {
                try {
                    complete(each);
                } catch (MPIException alsoFailed) {
                    // The other collective under way may raise an exception for the same failure, too.
                }
            }
        }
    }

    private static void complete(Begun one) {
        try {
            one.request.waitFor();
            one.check.run();
        } finally {
            one.buffers.spoil();
        }
    }

    private static Begun begin(Intracomm comm, SplittableRandom shared, int number, Buffers buffers) {
        int rank = comm.getRank();
        int size = comm.getSize();
        int part = shared.nextInt(1_000, MOST_LONGS);
        boolean isMixed = shared.nextInt(4) == 0;
        boolean isPlain = isMixed && shared.nextInt(size) == rank;
        LongBuffer from = isPlain ? buffers.plain : buffers.lent;
        LongBuffer in = buffers.in;
        switch (shared.nextInt(5)) {
            case 0:
                buffers.put(0, part, value(number, rank, 0));
                return new Begun(
                        comm.iAllGather(from, part, MPI.LONG, in, part, MPI.LONG),
                        () -> requireParts(in, size, part, number, -1, "iAllGather"),
                        buffers);
            case 1:
                buffers.put(rank * part, part, value(number, rank, 0));
                return new Begun(
                        comm.iAllGather(buffers.lent, part, MPI.LONG),
                        () -> requireParts(buffers.lent, size, part, number, -1, "iAllGather in place"),
                        buffers);
            case 2:
                for (int other = 0; other < size; other++) {
                    buffers.put(other * part, part, value(number, rank, other));
                }
                return new Begun(
                        comm.iAllToAll(from, part, MPI.LONG, in, part, MPI.LONG),
                        () -> requireParts(in, size, part, number, rank, "iAllToAll"),
                        buffers);
            default:
                int count = 2 * part;
                buffers.put(0, count, value(number, rank, 0));
                boolean isInPlace = shared.nextInt(3) == 0;
                LongBuffer result = isInPlace ? buffers.lent : in;
                return new Begun(
                        isInPlace
                                ? comm.iAllReduce(buffers.lent, count, MPI.LONG, MPI.SUM)
                                : comm.iAllReduce(from, in, count, MPI.LONG, MPI.SUM),
                        () -> require(result, 0, count, sum(number, size), size, "iAllReduce"),
                        buffers);
        }
    }

    private static long sum(int number, int ranks) {
        long sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += value(number, rank, 0);
        }
        return sum;
    }

    private static void requireParts(LongBuffer data, int size, int part, int number, int to, String operation) {
        for (int other = 0; other < size; other++) {
            require(data, other * part, part, value(number, other, Math.max(to, 0)), 1, operation);
        }
    }

    private static long value(int number, int from, int to) {
        return (((long) number * MOST_RANKS + from) * MOST_RANKS + to + 1) << 20;
    }

    private static void require(LongBuffer data, int at, int count, long first, int step, String operation) {
        for (int i = 0; i < count; i++) {
            long right = first + (long) step * i;
            if (data.get(at + i) != right) {
                throw new AssertionError(operation + " gave " + data.get(at + i) + " at " + (at + i) + " of " + count
                        + " values, right is " + right);
            }
        }
    }
}
