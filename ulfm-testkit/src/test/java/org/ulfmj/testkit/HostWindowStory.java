package org.ulfmj.testkit;

import static org.ulfmj.testkit.HostCollectivesStory.combined;
import static org.ulfmj.testkit.HostCollectivesStory.require;
import static org.ulfmj.testkit.HostCollectivesStory.slice;
import static org.ulfmj.testkit.HostCollectivesStory.values;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * A program of non-blocking collectives of several kinds and sizes on one communicator that may do them in shared
 * memory. More operations may be under way than the shared memory has slots, blocking collectives come between them,
 * and each rank draws when and in which order it completes its operations. Every rank can compute each result; when an
 * operation fails the survivors shrink and begin anew. Public, since the worlds of mutants call it.
 */
public final class HostWindowStory {
    private static final int STEPS = 40;
    private static final int MOST_TESTS = 200;
    /** A vector length above the limit up to which a reduction is combined while the engine lock is held. */
    private static final int LONG = 10_000;

    private final long seed;
    /**
     * For each barrier, named by its number: the ranks that have entered it. All ranks of one run share this object.
     */
    private final Map<Integer, Set<Integer>> entered = new ConcurrentHashMap<>();

    private HostWindowStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs this program under the seeds from {@code first} to {@code last}, and stops soon after ten have failed.
     * Returns what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new HostWindowStory(seed)::main);
    }

    /** An operation that was begun. */
    private record Begun(Request request, Runnable check, DoubleBuffer buffer, String name) {}

    private void main() throws Exception {
        MPI.Init(new String[0]);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> operations(phase[0]++, comm));
        MPI.Finalize();
    }

    private void operations(int phase, Intracomm comm) throws MPIException {
        SplittableRandom shared = new SplittableRandom(seed * 31 + phase);
        SplittableRandom own = new SplittableRandom(seed * 37 + phase * 64 + comm.getRank());
        List<Begun> open = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int kind = shared.nextInt(7);
            int root = shared.nextInt(comm.getSize());
            int count = count(shared);
            // In a series of operations of the same kind a rank can get far ahead of another.
            int repeats = shared.nextInt(4) == 0 ? shared.nextInt(1, 30) : 1;
            for (int repeat = 0; repeat < repeats; repeat++) {
                int number = phase * 1_000_000 + step * 1_000 + repeat;
                if (kind == 6) {
                    blocking(comm, number);
                    break;
                }
                open.add(begin(comm, kind, root, repeats > 1 ? Math.min(count, 600) : count, number));
                while (!open.isEmpty() && own.nextInt(5) == 0) {
                    complete(open.remove(own.nextInt(open.size())), own);
                }
            }
        }
        while (!open.isEmpty()) {
            complete(open.remove(own.nextInt(open.size())), own);
        }
    }

    private static int count(SplittableRandom shared) {
        return switch (shared.nextInt(12)) {
            case 0 -> LONG;
            case 1, 2, 3 -> shared.nextInt(1, 2_500);
            default -> shared.nextInt(0, 30);
        };
    }

    private static void blocking(Intracomm comm, int number) {
        double[] data = values(comm.getRank(), number, 3);
        comm.allReduce(data, 3, MPI.DOUBLE, MPI.SUM);
        require(data, combined(comm.getSize(), number, 3), "allReduce", number);
    }

    private Begun begin(Intracomm comm, int kind, int root, int count, int number) {
        int rank = comm.getRank();
        int size = comm.getSize();
        DoubleBuffer mine = buffer(values(rank, number, count));
        switch (kind) {
            case 0:
                Set<Integer> ranks = entered.computeIfAbsent(number, key -> ConcurrentHashMap.newKeySet());
                ranks.add(rank);
                Runnable check = () -> {
                    if (ranks.size() < size) {
                        throw new AssertionError("rank " + rank + " left barrier " + number + " with only " + ranks);
                    }
                };
                return new Begun(comm.iBarrier(), check, mine, "iBarrier");
            case 1:
                DoubleBuffer data = rank == root ? mine : buffer(new double[count]);
                return checked(
                        comm.iBcast(data, count, MPI.DOUBLE, root),
                        data,
                        values(root, number, count),
                        "iBcast",
                        number);
            case 2:
                DoubleBuffer result = buffer(new double[count]);
                double[] expected = rank == root ? combined(size, number, count) : new double[count];
                return checked(
                        comm.iReduce(mine, result, count, MPI.DOUBLE, MPI.SUM, root),
                        result,
                        expected,
                        "iReduce",
                        number);
            case 3:
                return checked(
                        comm.iAllReduce(mine, count, MPI.DOUBLE, MPI.SUM),
                        mine,
                        combined(size, number, count),
                        "iAllReduce",
                        number);
            case 4:
                int part = Math.min(count, 1_500);
                DoubleBuffer all = buffer(new double[size * part]);
                return checked(
                        comm.iAllGather(mine, part, MPI.DOUBLE, all, part, MPI.DOUBLE),
                        all,
                        parts(size, part, other -> values(other, number, part)),
                        "iAllGather",
                        number);
            default:
                int each = Math.min(count, 300);
                DoubleBuffer out = buffer(values(rank, number, size * each));
                DoubleBuffer in = buffer(new double[size * each]);
                return checked(
                        comm.iAllToAll(out, each, MPI.DOUBLE, in, each, MPI.DOUBLE),
                        in,
                        parts(size, each, other -> slice(values(other, number, size * each), rank, each)),
                        "iAllToAll",
                        number);
        }
    }

    private static double[] parts(int size, int count, IntFunction<double[]> part) {
        double[] all = new double[size * count];
        for (int other = 0; other < size; other++) {
            System.arraycopy(part.apply(other), 0, all, other * count, count);
        }
        return all;
    }

    private static Begun checked(Request request, DoubleBuffer buffer, double[] expected, String name, int number) {
        Runnable check = () -> {
            double[] actual = new double[expected.length];
            buffer.get(0, actual);
            require(actual, expected, name, number);
        };
        return new Begun(request, check, buffer, name);
    }

    private static void complete(Begun one, SplittableRandom own) {
        try {
            for (int tests = own.nextInt(2) * MOST_TESTS; tests > 0 && !one.request.isNull(); tests--) {
                one.request.test();
            }
            one.request.waitFor(); // where a hang is found
        } catch (MPIException failure) {
            requireUntouched(one);
            throw failure;
        }
        one.check.run();
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
}
