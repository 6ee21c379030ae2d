package org.ulfmj.launch;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;

/**
 * An MPI program in which all ranks call Finalize at nearly the same moment, and one rank is killed shortly before,
 * during or after that. All but the order in which the scheduler runs threads is drawn from the seed, the first
 * argument. The rank after the victim sends the signal, by a thread that keeps its process alive until then.
 */
final class KilledInFinalize {
    private static final long LEAD_NS = 100_000_000;
    private static final long LATEST_ENTRY_NS = 8_000_000;
    private static final long LATEST_KILL_NS = 25_000_000;

    private KilledInFinalize() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int size = world.getSize();
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[0]));
        int victim = random.nextInt(size);
        final long killAfterNs = random.nextLong(LATEST_KILL_NS);
        boolean isQuiet = random.nextBoolean();
        long[] entryNs = random.longs(size, 0, LATEST_ENTRY_NS).toArray();
        if (!isQuiet) {
            // This exchange connects all ranks with each other, and leaves some messages unacknowledged.
            world.allToAll(new int[size], 1, MPI.INT, new int[size], 1, MPI.INT);
        }
        long[] pids = new long[size];
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        long[] startNs = {System.nanoTime() + LEAD_NS};
        world.bcast(startNs, 1, MPI.LONG, 0);
        int killer = (victim + 1) % size;
        awaitOthers(world, killer);
        if (rank == killer) {
            new Thread(() -> kill(victim, pids[victim], startNs[0] + killAfterNs)).start();
        }
        await(startNs[0] + entryNs[rank]);
        MPI.Finalize();
        System.out.println("left " + rank + " " + System.nanoTime());
    }

    /**
     * Makes the killer wait until all other ranks have finished the earlier calls: otherwise a late rank would find the
     * death in one of them.
     */
    private static void awaitOthers(Intracomm world, int killer) {
        int[] nothing = {};
        if (world.getRank() != killer) {
            world.send(nothing, 0, MPI.INT, killer, 0);
            return;
        }
        for (int other = 0; other < world.getSize(); other++) {
            if (other != killer) {
                world.recv(nothing, 0, MPI.INT, other, 0);
            }
        }
    }

    private static void kill(int victim, long pid, long atNs) {
        await(atNs);
        long nowNs = System.nanoTime();
        boolean isSent =
                ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false);
        System.out.println((isSent ? "killed " : "missed ") + victim + " " + nowNs);
    }

    private static void await(long timeNs) {
        while (System.nanoTime() - timeNs < 0) {
            LockSupport.parkNanos(timeNs - System.nanoTime());
        }
    }
}
