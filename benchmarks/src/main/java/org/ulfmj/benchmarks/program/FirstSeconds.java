package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The program of a rank of a whole job that lasts some seconds, with the arguments {@code WORK SECONDS FILE}. From the
 * return of Init on, the rank repeats the operation that the work names. Rank 0 counts the operations that end in each
 * window of 100 ms, and prints {@code windows COUNT COUNT ...} in the end. The C peer runs {@code first.c}, which does
 * the same; this file is compiled against our {@code mpi} and, where there is one, against Open MPI's Java binding.
 *
 * <p>All ranks end with the same operation, and no message tells them which. A rank that leads decides by its clock: it
 * writes the number of the last operation to its place in the file, which all ranks map, before it begins that
 * operation. The ranks that it leads look there after each operation. None of these ranks can be too late, because none
 * ends an operation that the leading rank has not begun.
 */
class FirstSeconds {
    private static final int WINDOWS_PER_SECOND = 10;
    private static final long WINDOW_NS = 100_000_000;
    private static final int SHORT_BYTES = 8;
    private static final int LONG_BYTES = 1 << 10;

    final Intracomm world = MPI.COMM_WORLD;
    private final int me = world.getRank();
    private final int size = world.getSize();
    private final ByteBuffer mine = MPI.newByteBuffer(LONG_BYTES);
    private final ByteBuffer theirs = MPI.newByteBuffer(LONG_BYTES);
    private final double[] myDoubles = new double[1];
    private final double[] theirDoubles = new double[1];

    FirstSeconds() throws MPIException {}

    /** Runs the work on Open MPI's Java binding. */
    public static void main(String[] args) throws MPIException, IOException {
        ByteBuffer lasts = lasts(args[2]);
        MPI.Init(args);
        long started = System.nanoTime();
        new FirstSeconds().run(args[0], Integer.parseInt(args[1]), lasts, started);
        MPI.Finalize();
    }

    /** The file as shared memory: the number of the last operation of each rank that leads; 0 while it goes on. */
    static ByteBuffer lasts(String file) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size())
                    .order(ByteOrder.nativeOrder());
        }
    }

    /** Repeats the work for some seconds. */
    final void run(String work, int seconds, ByteBuffer lasts, long started) throws MPIException {
        long[] windows = new long[seconds * WINDOWS_PER_SECOND];
        // Of two ranks that exchange messages the even one leads; of ranks in collectives, rank 0.
        int leader = work.equals("pp") ? me - me % 2 : 0;
        int place = leader * Long.BYTES;
        long operation = 0;
        do {
            operate(work);
            operation++;
            if (me == leader) {
                long window = (System.nanoTime() - started) / WINDOW_NS;
                if (window < windows.length) {
                    windows[(int) window]++;
                } else if (lasts.getLong(place) == 0) {
                    lasts.putLong(place, operation + 1);
                }
            }
        } while (lasts.getLong(place) != operation);
        if (me == 0) {
            print(windows);
        }
    }

    private static void print(long[] windows) {
        StringBuilder line = new StringBuilder("windows");
        for (long count : windows) {
            line.append(' ').append(count);
        }
        System.out.println(line);
    }

    /** One operation of the work. */
    void operate(String work) throws MPIException {
        switch (work) {
            case "pp":
                exchange(SHORT_BYTES);
                break;
            case "allreduce":
                world.allReduce(myDoubles, theirDoubles, 1, MPI.DOUBLE, MPI.SUM);
                break;
            case "barrier":
                world.barrier();
                break;
            case "mix":
                exchange(SHORT_BYTES);
                exchange(LONG_BYTES);
                world.allReduce(myDoubles, theirDoubles, 1, MPI.DOUBLE, MPI.SUM);
                world.barrier();
                world.bcast(mine, LONG_BYTES, MPI.BYTE, 0);
                break;
            default:
                throw new IllegalArgumentException(work + ": no such work");
        }
    }

    /** A round trip between an even rank and the next one. With an odd number of ranks the last one has no partner. */
    private void exchange(int bytes) throws MPIException {
        int partner = me ^ 1;
        if (partner >= size) {
            return;
        }
        if (me < partner) {
            world.send(mine, bytes, MPI.BYTE, partner, 0);
            world.recv(theirs, bytes, MPI.BYTE, partner, 0);
        } else {
            world.recv(theirs, bytes, MPI.BYTE, partner, 0);
            world.send(mine, bytes, MPI.BYTE, partner, 0);
        }
    }
}
