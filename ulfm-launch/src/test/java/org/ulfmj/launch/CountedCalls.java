package org.ulfmj.launch;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.LongBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * An MPI program of two ranks that prints how much calls allocate. Per kind of call it prints a line with the name, the
 * bytes of the objects that the program gets, and the bytes per call that the calling thread has allocated, in the
 * round in which they were fewest.
 */
final class CountedCalls {
    /** The calls of one kind per round; few, as on a busy machine a rank may wait for a core in each of them. */
    private static final int CALLS = 500;

    private static final int WARM_UPS = 2;
    private static final int ROUNDS = 4;
    private static final int REQUEST = 24;
    private static final int STATUS = 40;

    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private CountedCalls() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int ranks = WORLD.getSize();
        long[] send = new long[ranks];
        long[] receive = new long[ranks];
        countCollectives(send, receive);
        countCollectivesWithCounts(send, receive);
        countStarted(MPI.newLongBuffer(ranks), MPI.newLongBuffer(ranks));
        countMessages(MPI.newLongBuffer(1), MPI.newLongBuffer(1));
        MPI.Finalize();
    }

    private static void countCollectives(long[] send, long[] receive) {
        count("barrier", 0, WORLD::barrier);
        count("bcast", 0, () -> WORLD.bcast(send, 1, MPI.LONG, 0));
        count("reduce", 0, () -> WORLD.reduce(send, receive, 1, MPI.LONG, MPI.SUM, 0));
        count("allReduce", 0, () -> WORLD.allReduce(send, receive, 1, MPI.LONG, MPI.SUM));
        count("gather", 0, () -> WORLD.gather(send, 1, MPI.LONG, receive, 1, MPI.LONG, 0));
        count("scatter", 0, () -> WORLD.scatter(send, 1, MPI.LONG, receive, 1, MPI.LONG, 0));
        count("allGather", 0, () -> WORLD.allGather(send, 1, MPI.LONG, receive, 1, MPI.LONG));
        count("allToAll", 0, () -> WORLD.allToAll(send, 1, MPI.LONG, receive, 1, MPI.LONG));
        count("scan", 0, () -> WORLD.scan(send, receive, 1, MPI.LONG, MPI.SUM));
        count("exScan", 0, () -> WORLD.exScan(send, receive, 1, MPI.LONG, MPI.SUM));
        count("reduceScatterBlock", 0, () -> WORLD.reduceScatterBlock(send, receive, 1, MPI.LONG, MPI.SUM));
    }

    private static void countCollectivesWithCounts(long[] send, long[] receive) {
        int[] counts = {1, 1};
        int[] displs = {0, 1};
        count("gatherv", 0, () -> WORLD.gatherv(send, 1, MPI.LONG, receive, counts, displs, MPI.LONG, 0));
        count("scatterv", 0, () -> WORLD.scatterv(send, counts, displs, MPI.LONG, receive, 1, MPI.LONG, 0));
        count("allGatherv", 0, () -> WORLD.allGatherv(send, 1, MPI.LONG, receive, counts, displs, MPI.LONG));
        count("allToAllv", 0, () -> WORLD.allToAllv(send, counts, displs, MPI.LONG, receive, counts, displs, MPI.LONG));
        count("reduceScatter", 0, () -> WORLD.reduceScatter(send, receive, counts, MPI.LONG, MPI.SUM));
    }

    private static void countStarted(LongBuffer from, LongBuffer to) {
        count("iBarrier", REQUEST, () -> WORLD.iBarrier().waitFor());
        count("iBcast", REQUEST, () -> WORLD.iBcast(from, 1, MPI.LONG, 0).waitFor());
        count("iReduce", REQUEST, () -> WORLD.iReduce(from, to, 1, MPI.LONG, MPI.SUM, 0)
                .waitFor());
        count("iAllReduce", REQUEST, () -> WORLD.iAllReduce(from, to, 1, MPI.LONG, MPI.SUM)
                .waitFor());
        count("iAllGather", REQUEST, () -> WORLD.iAllGather(from, 1, MPI.LONG, to, 1, MPI.LONG)
                .waitFor());
        count("iAllToAll", REQUEST, () -> WORLD.iAllToAll(from, 1, MPI.LONG, to, 1, MPI.LONG)
                .waitFor());
    }

    private static void countMessages(LongBuffer from, LongBuffer to) {
        int other = 1 - WORLD.getRank();
        Request[] requests = new Request[2];
        count("sendRecv", STATUS, () -> WORLD.sendRecv(from, 1, MPI.LONG, other, 1, to, 1, MPI.LONG, other, 1));
        count("iSendIRecv", 2 * REQUEST, () -> {
            requests[0] = WORLD.iRecv(to, 1, MPI.LONG, other, 1);
            requests[1] = WORLD.iSend(from, 1, MPI.LONG, other, 1);
            Request.waitAll(requests);
        });
        count("probe", 2 * STATUS, () -> {
            WORLD.send(from, 1, MPI.LONG, other, 1);
            WORLD.probe(other, 1);
            WORLD.recv(to, 1, MPI.LONG, other, 1);
        });
        count("iProbe", 0, () -> WORLD.iProbe(other, 2));
    }

    private static void count(String kind, int objectBytes, Runnable call) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            least = round < WARM_UPS ? least : Math.min(least, allocated);
        }
        System.out.println(kind + " " + objectBytes + " " + (double) least / CALLS);
    }
}
