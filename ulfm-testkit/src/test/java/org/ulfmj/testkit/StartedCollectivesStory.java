package org.ulfmj.testkit;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import mpi.UserFunction;

/**
 * A program of non-blocking collectives on two communicators: several are under way at once, blocking ones come between
 * them, and each rank completes them in its own order and by calls of its own choice. Every rank can compute each
 * result; when an operation fails its buffer must not be written to afterwards, and the survivors shrink and begin
 * anew. Public, since the worlds of mutants call it.
 */
public final class StartedCollectivesStory {
    /**
     * The most tests of one request: they take about half a minute of simulated time, since after many tests in vain
     * each further one costs at least 100 µs.
     */
    private static final int MOST_TESTS = 300_000;

    private static final int ROUNDS = 8;
    private static final int KINDS = 10;
    /** A vector length that some operations use, for which the local work of a reduction is done in several pieces. */
    private static final int LONG = 40_000;

    private final long seed;

    private StartedCollectivesStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program for the seeds from {@code first} to {@code last}, and stops soon after ten have failed. Returns
     * what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new StartedCollectivesStory(seed)::main);
    }

    /** A collective under way, with its buffer and the content that the buffer must have in the end. */
    private record Begun(Request request, DoubleBuffer buffer, double[] expected, String name) {
        void check() {
            for (int i = 0; i < expected.length; i++) {
                if (buffer.get(i) != expected[i]) {
                    throw new AssertionError(name + " of " + expected.length + " gave " + buffer.get(i) + " at " + i
                            + ", right is " + expected[i]);
                }
            }
        }
    }

    /**
     * An operator that keeps the items of the higher rank: associative, and wrong as soon as two operands are
     * exchanged. It calls MPI, so that other threads and messages can make progress while the function runs.
     */
    private static final class Last extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            double[] items = (double[]) inOut;
            double first = items[0];
            items[0] = -1;
            MPI.COMM_SELF.barrier();
            items[0] = first;
        }
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> rounds(phase[0]++, comm));
        MPI.Finalize();
    }

    private void rounds(int phase, Intracomm comm) throws MPIException {
        SplittableRandom shared = new SplittableRandom(seed * 31 + phase);
        SplittableRandom own = new SplittableRandom(seed * 37 + phase * 64 + comm.getRank());
        Intracomm[] both = {comm, comm.dup()};
        try {
            rounds(phase, both, shared, own);
        } catch (ProcFailedException | RevokedException failure) {
            both[1].revoke();
            throw failure;
        }
    }

    private static void rounds(int phase, Intracomm[] both, SplittableRandom shared, SplittableRandom own) {
        Op last = new Op(new Last(), false);
        for (int round = 0; round < ROUNDS; round++) {
            List<Begun> open = new ArrayList<>();
            int operations = shared.nextInt(1, 7);
            for (int i = 0; i < operations; i++) {
                Intracomm on = both[shared.nextInt(2)];
                int kind = shared.nextInt(KINDS);
                int root = shared.nextInt(on.getSize());
                boolean isLong = (kind <= 3 || kind == 8) && shared.nextInt(12) == 0;
                int count = isLong ? LONG : shared.nextInt(1, 40);
                int number = phase * 1_000_000 + round * 1_000 + i;
                if (shared.nextInt(4) == 0) {
                    blocking(on, number);
                } else {
                    open.add(begin(on, kind, root, count, number, last));
                }
            }
            complete(open, own);
        }
        both[1].barrier();
    }

    private static void blocking(Intracomm comm, int number) {
        double[] data = values(comm.getRank(), number, 3);
        comm.allReduce(data, 3, MPI.DOUBLE, MPI.MAX);
        if (!Arrays.equals(data, values(comm.getSize() - 1, number, 3))) {
            throw new AssertionError("allReduce gave " + Arrays.toString(data));
        }
    }

    private static Begun begin(Intracomm comm, int kind, int root, int count, int number, Op last) {
        int rank = comm.getRank();
        int size = comm.getSize();
        int highest = size - 1;
        DoubleBuffer mine = buffer(values(rank, number, count));
        double[] own = values(rank, number, count);
        return switch (kind) {
            case 0 -> new Begun(comm.iBarrier(), mine, own, "iBarrier");
            case 1 ->
                new Begun(comm.iBcast(mine, count, MPI.DOUBLE, root), mine, values(root, number, count), "iBcast");
            case 2 ->
                new Begun(
                        comm.iAllReduce(mine, count, MPI.DOUBLE, MPI.MAX),
                        mine,
                        values(highest, number, count),
                        "iAllReduce");
            case 3 ->
                new Begun(
                        comm.iAllReduce(mine, count, MPI.DOUBLE, last),
                        mine,
                        values(highest, number, count),
                        "with function");
            case 4 -> {
                DoubleBuffer all = buffer(new double[size * count]);
                Request request = comm.iAllGather(mine, count, MPI.DOUBLE, all, count, MPI.DOUBLE);
                yield new Begun(request, all, all(size, number, count), "iAllGather");
            }
            case 5 -> {
                DoubleBuffer all = buffer(new double[size * count]);
                Request request = comm.iGather(mine, count, MPI.DOUBLE, all, count, MPI.DOUBLE, root);
                yield new Begun(
                        request, all, rank == root ? all(size, number, count) : new double[size * count], "iGather");
            }
            case 6 -> {
                DoubleBuffer out = buffer(all(size, number + rank, count));
                DoubleBuffer in = buffer(new double[size * count]);
                double[] expected = new double[size * count];
                for (int other = 0; other < size; other++) {
                    System.arraycopy(values(rank, number + other, count), 0, expected, other * count, count);
                }
                Request request = comm.iAllToAll(out, count, MPI.DOUBLE, in, count, MPI.DOUBLE);
                yield new Begun(request, in, expected, "iAllToAll");
            }
            case 7 -> {
                DoubleBuffer out = buffer(all(size, number, count));
                Request request =
                        comm.iScatter(out, count, MPI.DOUBLE, mine.put(0, new double[count]), count, MPI.DOUBLE, root);
                yield new Begun(request, mine, own, "iScatter");
            }
            case 8 -> new Begun(comm.iScan(mine, count, MPI.DOUBLE, last), mine, own, "iScan");
            default -> {
                DoubleBuffer block = buffer(new double[count]);
                Request request =
                        comm.iReduceScatterBlock(buffer(all(size, number, count)), block, count, MPI.DOUBLE, MPI.MIN);
                yield new Begun(request, block, own, "iReduceScatterBlock");
            }
        };
    }

    /** Completes all operations that are under way, in an order that this rank draws. */
    private static void complete(List<Begun> open, SplittableRandom own) {
        while (!open.isEmpty()) {
            int way = own.nextInt(4);
            Begun one = open.get(own.nextInt(open.size()));
            if (way == 3) {
                Request[] all = open.stream().map(Begun::request).toArray(Request[]::new);
                one = open.get(Request.waitAny(all));
            } else {
                try {
                    complete(one, way);
                } catch (MPIException failure) {
                    requireUntouched(one);
                    throw failure;
                }
            }
            one.check();
            open.remove(one);
        }
    }

    private static void complete(Begun one, int way) {
        if (way == 0) {
            one.request.waitFor();
        } else if (way == 1) {
            for (int tests = 0; !one.request.test(); tests++) {
                if (tests == MOST_TESTS) {
                    // The simulator does not see ranks that test a request for ever as a hang, because simulated time
                    // goes on; so the test itself gives up.
                    throw new AssertionError(one.name + " was tested " + tests + " times in vain");
                }
            }
        } else {
            Request.waitAll(new Request[] {one.request});
        }
    }

    /**
     * Requires that the library does not write to the buffer of an operation after the operation has failed: fills the
     * buffer, lets simulated time pass and compares.
     */
    private static void requireUntouched(Begun one) {
        double mark = 4711;
        for (int i = 0; i < one.buffer.capacity(); i++) {
            one.buffer.put(i, mark);
        }
        for (int turn = 0; turn < 20; turn++) {
            MPI.COMM_WORLD.getFailed(); // lets simulated time pass
        }
        for (int i = 0; i < one.buffer.capacity(); i++) {
            if (one.buffer.get(i) != mark) {
                throw new AssertionError(one.name + " wrote to its buffer after it had failed, at " + i);
            }
        }
    }

    private static DoubleBuffer buffer(double[] values) {
        return MPI.newDoubleBuffer(values.length).put(0, values);
    }

    /**
     * Returns the values that a rank contributes. They are larger at each higher rank, so the maximum over all ranks is
     * that of the highest one.
     */
    private static double[] values(int rank, int operation, int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = rank * 1_000 + (operation * 31 + i * 17 & 511);
        }
        return values;
    }

    private static double[] all(int size, int operation, int count) {
        double[] all = new double[size * count];
        for (int rank = 0; rank < size; rank++) {
            System.arraycopy(values(rank, operation, count), 0, all, rank * count, count);
        }
        return all;
    }
}
