package examples;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;

/**
 * All ranks meet in an allReduce, again and again, while a thread of rank 0 stops one other rank after another for less
 * than the detector's timeout. No rank may be declared failed. Arguments: how many stops, for how many milliseconds
 * each, seed.
 */
public final class Pauses {
    private Pauses() {}

    public static void main(String[] args) throws InterruptedException {
        int stops = Integer.parseInt(args[0]);
        long stopMs = Long.parseLong(args[1]);
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        long[] pids = new long[world.getSize()];
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        AtomicLong longestNs = new AtomicLong();
        Thread controller = new Thread(() -> stopOthers(pids, stops, stopMs, Long.parseLong(args[2]), longestNs));
        if (world.getRank() == 0) {
            controller.start();
        }
        long meetings = 0;
        try {
            int[] goesOn = {1};
            while (goesOn[0] != 0) {
                goesOn[0] = controller.isAlive() ? 1 : 0;
                world.allReduce(goesOn, 1, MPI.INT, MPI.SUM);
                meetings++;
            }
            if (world.getFailed().getSize() != 0) {
                throw new IllegalStateException("somebody has failed");
            }
        } catch (ProcFailedException e) {
            if (world.getRank() == 0) {
                controller.join();
                System.out.printf("a failure; longest stop %d ms at most%n", longestNs.get() / 1_000_000);
            }
            throw e;
        }
        if (world.getRank() == 0) {
            System.out.printf(
                    "%d stops of %d ms, the longest %d ms at most, %d meetings: no failure declared%n",
                    stops, stopMs, longestNs.get() / 1_000_000, meetings);
        }
        MPI.Finalize();
    }

    private static void stopOthers(long[] pids, int stops, long stopMs, long seed, AtomicLong longestNs) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < stops; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(50, 300)));
            long pid = pids[1 + random.nextInt(pids.length - 1)];
            long beforeNs = System.nanoTime();
            Signal.pause(pid, stopMs);
            longestNs.accumulateAndGet(System.nanoTime() - beforeNs, Math::max);
        }
    }
}
