package org.ulfmj.launch;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.LongBuffer;
import mpi.Intracomm;
import mpi.MPI;

/**
 * An MPI program of two ranks that prints what collective calls allocate: per kind a line with its name and bytes per
 * call.
 */
final class CountedCalls {
    /** A rank may wait for a core in each of them on a busy machine. */
    private static final int CALLS = 500;
    private static final int WARM_UPS = 2;
    private static final int ROUNDS = 4;

    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private CountedCalls() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int ranks = WORLD.getSize();
        long[] send = new long[ranks];
        long[] receive = new long[ranks];
        count("barrier", WORLD::barrier);
        count("bcast", () -> WORLD.bcast(send, 1, MPI.LONG, 0));
        count("reduce", () -> WORLD.reduce(send, receive, 1, MPI.LONG, MPI.SUM, 0));
        count("allReduce", () -> WORLD.allReduce(send, receive, 1, MPI.LONG, MPI.SUM));
        count("allGather", () -> WORLD.allGather(send, 1, MPI.LONG, receive, 1, MPI.LONG));
        count("allToAll", () -> WORLD.allToAll(send, 1, MPI.LONG, receive, 1, MPI.LONG));
        LongBuffer from = MPI.newLongBuffer(ranks);
        LongBuffer to = MPI.newLongBuffer(ranks);
        count("iBarrier", () -> WORLD.iBarrier().waitFor());
        count("iBcast", () -> WORLD.iBcast(from, 1, MPI.LONG, 0).waitFor());
        count("iReduce", () -> WORLD.iReduce(from, to, 1, MPI.LONG, MPI.SUM, 0).waitFor());
        count("iAllReduce", () -> WORLD.iAllReduce(from, to, 1, MPI.LONG, MPI.SUM)
                .waitFor());
        count("iAllGather", () -> WORLD.iAllGather(from, 1, MPI.LONG, to, 1, MPI.LONG)
                .waitFor());
        count("iAllToAll", () -> WORLD.iAllToAll(from, 1, MPI.LONG, to, 1, MPI.LONG)
                .waitFor());
        MPI.Finalize();
    }

    private static void count(String kind, Runnable call) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            least = round < WARM_UPS ? least : Math.min(least, allocated);
        }
        System.out.println(kind + " " + (double) least / CALLS);
    }
}
