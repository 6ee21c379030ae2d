package org.ulfmj.launch;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program of three ranks or more. Rank 0 waits for a message of rank 1. Another thread of rank 0 sees it wait,
 * and a while later asks rank 1 to send the message. Then all ranks call two barriers; if one fails, because the test
 * has rank 2 killed in the second, the other ranks revoke the communicator and shrink it.
 */
final class Awaited {
    private static final int TAG = 7;
    private static final int ASK_TAG = 8;
    private static final long LATE_NS = 200_000_000;
    private static final long PAUSE_NS = 1_000_000;

    private Awaited() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int[] message = new int[1];
        if (rank == 1) {
            MPI.COMM_WORLD.recv(message, 1, MPI.INT, 0, ASK_TAG);
            MPI.COMM_WORLD.send(message, 1, MPI.INT, 0, TAG);
        } else if (rank == 0) {
            Thread main = Thread.currentThread();
            new Thread(MPI.bindThread(() -> askLate(main))).start();
            MPI.COMM_WORLD.recv(message, 1, MPI.INT, 1, TAG);
        }
        try {
            MPI.COMM_WORLD.barrier();
            // A rank that is still in the first barrier when rank 2 dies in the second one may fail in the first.
            MPI.COMM_WORLD.barrier();
        } catch (MPIException e) {
            MPI.COMM_WORLD.revoke();
            Comm left = MPI.COMM_WORLD.shrink();
            System.out.println("rank " + rank + ": " + left.getSize() + " left");
        }
        MPI.Finalize();
    }

    private static void askLate(Thread waiting) {
        while (Arrays.stream(waiting.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("recv"))) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        long beganNs = System.nanoTime();
        while (System.nanoTime() - beganNs < LATE_NS) {
            LockSupport.parkNanos(LATE_NS);
        }
        MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 1, ASK_TAG);
    }
}
