package examples;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Ranks 0 to 2 run collectives of 8 bytes to 4 MiB without a pause. Meanwhile rank 3 either stops rank 2, which stays
 * stopped until the launcher ends it, or kills it. After their collectives have failed, the buffers of ranks 0 and 1
 * must not change by a byte, and further collectives of these two ranks must give right results.
 */
public final class StoppedInCollectives {
    private static final int VICTIM = 2;
    private static final int CONTROLLER = 3;
    private static final int[] LENGTHS = {1, 100, 1_000, 8_192, 40_000, 524_288};
    private static final int READY = 1;
    private static final int MARKED = 2;
    private static final int ENDED = 3;
    private static final int LEAST_ROUNDS = 20;
    private static final long MOST_SECONDS = 60;

    private static final int LENT_PART = 8_192;
    private static final int WORKERS = 3;
    /** Made after Init. */
    private static LongBuffer lent;

    private static LongBuffer exchanged;
    /**
     * A number of longs so large that the other ranks read the vector of a non-blocking reduction in place, in the
     * memory of {@code MPI.newLongBuffer}.
     */
    private static final int LENT_VECTOR = 100_000;

    private static LongBuffer vector;
    private static LongBuffer reduced;

    private StoppedInCollectives() {}

    public static void main(String[] args) {
        boolean isKilled = args[0].equals("kill");
        long delayMs = Long.parseLong(args[1]);
        MPI.Init(args);
        lent = MPI.newLongBuffer(WORKERS * LENT_PART);
        exchanged = MPI.newLongBuffer(WORKERS * LENT_PART);
        vector = MPI.newLongBuffer(LENT_VECTOR);
        reduced = MPI.newLongBuffer(LENT_VECTOR);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        long[] pids = new long[world.getSize()];
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        Intracomm workers = world.split(rank == CONTROLLER ? MPI.UNDEFINED : 0, rank);
        if (rank == CONTROLLER) {
            control(world, pids[VICTIM], delayMs, isKilled);
        } else {
            work(world, workers);
        }
        world.shrink().barrier();
        MPI.Finalize();
    }

    private static void work(Intracomm world, Intracomm workers) {
        long[][] buffers = new long[LENGTHS.length][];
        for (int i = 0; i < LENGTHS.length; i++) {
            buffers[i] = new long[LENGTHS[i]];
        }
        int rounds = 0;
        try {
            for (; ; rounds++) {
                if (rounds == LEAST_ROUNDS && workers.getRank() == VICTIM) {
                    world.send(new byte[1], 1, MPI.BYTE, CONTROLLER, READY);
                }
                for (long[] buffer : buffers) {
                    round(workers, buffer, rounds);
                }
            }
        } catch (ProcFailedException | RevokedException failed) {
            // As it should.
        }
        long atMark = checksum(buffers);
        world.send(new byte[1], 1, MPI.BYTE, CONTROLLER, MARKED);
        world.recv(new byte[1], 1, MPI.BYTE, CONTROLLER, ENDED);
        boolean isUnchanged = checksum(buffers) == atMark;
        Intracomm rest = workers.shrink();
        for (int round = 0; round < LEAST_ROUNDS; round++) {
            for (long[] buffer : buffers) {
                round(rest, buffer, round);
            }
        }
        System.out.println(String.format(
                "rank %d: failed in round %d, buffers %s, right with %d of them left",
                world.getRank(), rounds, isUnchanged ? "unchanged" : "CHANGED", rest.getSize()));
    }

    /** Runs one round of collectives and checks the results. */
    private static void round(Intracomm comm, long[] buffer, int round) {
        int size = comm.getSize();
        exchangeLent(comm, round);
        reduceLent(comm, round);
        Arrays.fill(buffer, round + comm.getRank());
        comm.allReduce(buffer, buffer.length, MPI.LONG, MPI.SUM);
        long sum = (long) size * round + (long) size * (size - 1) / 2;
        for (int i = 0; i < buffer.length; i++) {
            if (buffer[i] != sum) {
                throw new IllegalStateException("allReduce of " + buffer.length + " in round " + round + " gave "
                        + buffer[i] + " at " + i + ", right is " + sum);
            }
        }
        long[] one = {comm.getRank() == round % size ? round : -1};
        comm.bcast(one, 1, MPI.LONG, round % size);
        if (one[0] != round) {
            throw new IllegalStateException("bcast of round " + round + " gave " + one[0]);
        }
    }

    /**
     * Runs an allToAll whose parts the other ranks read in place, in the memory of {@code MPI.newLongBuffer}, and
     * overwrites the parts as soon as the call has returned or failed.
     */
    private static void exchangeLent(Intracomm comm, int round) {
        int size = comm.getSize();
        int rank = comm.getRank();
        for (int i = 0; i < size * LENT_PART; i++) {
            lent.put(i, (long) round * size + rank);
        }
        try {
            comm.allToAll(lent, LENT_PART, MPI.LONG, exchanged, LENT_PART, MPI.LONG);
        } finally {
            for (int i = 0; i < size * LENT_PART; i++) {
                lent.put(i, -1);
            }
        }
        for (int i = 0; i < size * LENT_PART; i++) {
            if (exchanged.get(i) != (long) round * size + i / LENT_PART) {
                throw new IllegalStateException("allToAll of round " + round + " gave " + exchanged.get(i) + " at " + i
                        + ", right is " + ((long) round * size + i / LENT_PART));
            }
        }
    }

    /**
     * Starts a reduction of vectors that the other ranks read in place, in the memory of {@code MPI.newLongBuffer},
     * waits for it, and overwrites the vector as soon as the request has completed or failed.
     */
    private static void reduceLent(Intracomm comm, int round) {
        int size = comm.getSize();
        for (int i = 0; i < LENT_VECTOR; i++) {
            vector.put(i, round + comm.getRank() + i);
        }
        try {
            comm.iAllReduce(vector, reduced, LENT_VECTOR, MPI.LONG, MPI.SUM).waitFor();
        } finally {
            for (int i = 0; i < LENT_VECTOR; i++) {
                vector.put(i, -1);
            }
        }
        for (int i = 0; i < LENT_VECTOR; i++) {
            long sum = (long) size * (round + i) + (long) size * (size - 1) / 2;
            if (reduced.get(i) != sum) {
                throw new IllegalStateException(
                        "iAllReduce of round " + round + " gave " + reduced.get(i) + " at " + i + ", right is " + sum);
            }
        }
    }

    private static long checksum(long[][] buffers) {
        CRC32C sum = new CRC32C();
        for (long[] buffer : buffers) {
            for (long word : buffer) {
                update(sum, word);
            }
        }
        for (int i = 0; i < LENT_VECTOR; i++) {
            update(sum, reduced.get(i));
        }
        return sum.getValue();
    }

    private static void update(CRC32C sum, long word) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            sum.update((int) (word >>> shift));
        }
    }

    private static void control(Intracomm world, long pid, long delayMs, boolean isKilled) {
        world.recv(new byte[1], 1, MPI.BYTE, VICTIM, READY);
        LockSupport.parkNanos(delayMs * 1_000_000);
        if (isKilled) {
            Signal.kill(pid);
        } else {
            Signal.stop(pid);
        }
        for (int rank = 0; rank < VICTIM; rank++) {
            world.recv(new byte[1], 1, MPI.BYTE, rank, MARKED);
        }
        System.out.println("ended " + Signal.awaitEnd(pid, MOST_SECONDS));
        for (int rank = 0; rank < VICTIM; rank++) {
            world.send(new byte[1], 1, MPI.BYTE, rank, ENDED);
        }
        requireFailed(world);
    }

    private static void requireFailed(Intracomm world) {
        try {
            world.recv(new byte[1], 1, MPI.BYTE, VICTIM, ENDED);
            throw new IllegalStateException("a message that rank " + VICTIM + " never sent");
        } catch (MPIException e) {
            if (!(e instanceof ProcFailedException)) {
                throw e;
            }
        }
    }
}
