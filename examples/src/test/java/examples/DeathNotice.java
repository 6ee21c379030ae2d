package examples;

import java.util.Locale;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;

/**
 * How long until every survivor knows of a death. Rank 0 sends SIGKILL to the highest rank at a moment that all agreed on
 * beforehand (the clock is the host's). Even ranks ask {@code getFailed} in a loop; odd ones make no MPI call at all until
 * 50 ms after the signal and then ask once, so that what they know they learnt while the program computed.
 */
public final class DeathNotice {
    private static final long LEAD_NS = 200_000_000;
    private static final long ALLOWED_NS = 50_000_000;
    private static final long GIVE_UP_NS = 5_000_000_000L;

    private DeathNotice() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int victim = world.getSize() - 1;
        long[] pids = new long[world.getSize()];
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        long[] signalNs = {System.nanoTime() + LEAD_NS};
        world.bcast(signalNs, 1, MPI.LONG, 0);

        computeUntil(rank == victim ? signalNs[0] + GIVE_UP_NS : signalNs[0]);
        if (rank == 0) {
            ProcessHandle.of(pids[victim]).orElseThrow().destroyForcibly();
        }
        if (rank % 2 == 1) {
            computeUntil(signalNs[0] + ALLOWED_NS);
        }
        long knownNs = whenKnown(world, signalNs[0]);

        Intracomm survivors = world.shrink();
        double[] worst = {(knownNs - signalNs[0]) / 1e6};
        survivors.allReduce(worst, 1, MPI.DOUBLE, MPI.MAX);
        if (survivors.getRank() == 0) {
            System.out.printf(Locale.ROOT, "known everywhere after %.1f ms%n", worst[0]);
        }
        MPI.Finalize();
    }

    /** The moment at which it was asked, if the answer then was yes; a later one otherwise. */
    private static long whenKnown(Intracomm world, long signalNs) {
        while (true) {
            long askedNs = System.nanoTime();
            Group failed = world.getFailed();
            if (failed.getSize() > 0) {
                return Math.max(askedNs, signalNs);
            }
            if (askedNs > signalNs + GIVE_UP_NS) {
                throw new IllegalStateException("5 s after the signal nobody has failed");
            }
        }
    }

    private static void computeUntil(long timeNs) {
        while (System.nanoTime() - timeNs < 0) {
            Thread.onSpinWait();
        }
    }
}
