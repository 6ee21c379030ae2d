package examples;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Neighbours exchange messages and all ranks sum vectors for a time, and check every value. Arguments: the time in
 * milliseconds; {@code idle} to do one round and then send nothing for that time.
 */
final class LostLinks {
    private static final int SHORT_VALUES = 8 * 1024;
    private static final int LONG_VALUES = 512 * 1024;

    private LostLinks() {}

    public static void main(String[] args) throws MPIException, InterruptedException {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        long beganNs = System.nanoTime();
        long untilNs = beganNs + Long.parseLong(args[0]) * 1_000_000;
        long rounds = 0;
        boolean isOver = false;
        while (!isOver) {
            exchange(world, rounds);
            sum(world, rounds, rounds % 8 == 0 ? LONG_VALUES : 1);
            if (args.length > 1) {
                Thread.sleep(Long.parseLong(args[0]));
            }
            long[] over = {System.nanoTime() - untilNs >= 0 ? 1 : 0};
            world.bcast(over, 1, MPI.LONG, 0);
            isOver = over[0] != 0;
            rounds++;
        }
        int failed = world.getFailed().getSize();
        System.out.println(
                "rank " + world.getRank() + ": " + (rounds > 0 ? "all right" : "nothing done") + ", failed " + failed);
        if (world.getRank() == 0) {
            System.out.println(rounds + " rounds in " + (System.nanoTime() - beganNs) / 1_000_000 + " ms");
        }
        MPI.Finalize();
    }

    private static void exchange(Intracomm world, long round) throws MPIException {
        int peer = world.getRank() ^ 1;
        ByteBuffer memory = MPI.newByteBuffer(2 * SHORT_VALUES * Long.BYTES);
        LongBuffer values = memory.asLongBuffer();
        for (int i = 0; i < SHORT_VALUES; i++) {
            values.put(i, value(world.getRank(), round, i));
        }
        LongBuffer mine = values.slice(0, SHORT_VALUES);
        LongBuffer theirs = values.slice(SHORT_VALUES, SHORT_VALUES);
        world.sendRecv(mine, SHORT_VALUES, MPI.LONG, peer, 1, theirs, SHORT_VALUES, MPI.LONG, peer, 1);
        for (int i = 0; i < SHORT_VALUES; i++) {
            require(theirs.get(i) == value(peer, round, i), "value " + i + " of round " + round + " from " + peer);
        }
    }

    private static void sum(Intracomm world, long round, int count) throws MPIException {
        long[] mine = new long[count];
        Arrays.fill(mine, value(world.getRank(), round, count));
        long[] all = new long[count];
        world.allReduce(mine, all, count, MPI.LONG, MPI.SUM);
        long expected = 0;
        for (int rank = 0; rank < world.getSize(); rank++) {
            expected += value(rank, round, count);
        }
        for (int i = 0; i < count; i++) {
            require(all[i] == expected, "sum " + i + " of round " + round);
        }
    }

    private static long value(int rank, long round, int place) {
        return (rank * 1_000_003L + round) * 0x9E3779B97F4A7C15L + place;
    }

    private static void require(boolean isRight, String what) {
        if (!isRight) {
            throw new IllegalStateException("wrong: " + what);
        }
    }
}
