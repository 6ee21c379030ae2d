package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The program of a rank of a whole job that lasts some seconds, with the arguments {@code WORK SECONDS FILE}. From the
 * return of Init on, the rank repeats the operation that the work names; rank 0 prints what {@link WindowCount} has
 * counted. The C peer runs {@code first.c}, which does the same; this file is compiled against our {@code mpi} and,
 * where there is one, against Open MPI's Java binding.
 */
class FirstSeconds {
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

    /** The main method for Open MPI's Java binding: runs the work on it. */
    public static void main(String[] args) throws MPIException, IOException {
        ByteBuffer lasts = WindowCount.lasts(args[2]);
        MPI.Init(args);
        long started = System.nanoTime();
        new FirstSeconds().run(args[0], Integer.parseInt(args[1]), lasts, started);
        MPI.Finalize();
    }

    /** Repeats the work for some seconds. */
    final void run(String work, int seconds, ByteBuffer lasts, long started) throws MPIException {
        WindowCount windows = new WindowCount(lasts, work, me, seconds, started);
        do {
            operate(work);
        } while (windows.counted());
        if (me == 0) {
            windows.print();
        }
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
