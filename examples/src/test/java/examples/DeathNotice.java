package examples;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;

/**
 * Measures how long it takes until every survivor knows of a death. Rank 0 sends SIGKILL to the highest rank at a
 * moment that it has broadcast beforehand (the clock is the host's). With {@code computing} the survivors make no MPI
 * call until some time after the signal; their runtimes learn of the death while the program computes, and the error of
 * a later send tells when that was. With {@code waiting} they wait in a receive, and check {@code getFailed} as soon as
 * it ends.
 *
 * <p>The signal comes two seconds after the start: in the first second the ranks prepare for deaths, which takes long
 * where ranks that compute share cores.
 */
public final class DeathNotice {
    private static final long LEAD_NS = 2_000_000_000;
    private static final long COMPUTE_NS = 300_000_000;
    private static final long GIVE_UP_NS = 5_000_000_000L;
    private static final Pattern AGO = Pattern.compile(" ([0-9]+) ms ago");

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

        boolean isComputing = args[0].equals("computing");
        if (rank == 0) {
            passUntil(signalNs[0], isComputing);
            signalNs[0] = System.nanoTime();
            ProcessHandle.of(pids[victim]).orElseThrow().destroyForcibly();
        } else if (rank == victim) {
            passUntil(signalNs[0] + GIVE_UP_NS, isComputing);
        }
        if (isComputing) {
            passUntil(System.nanoTime() + LEAD_NS + COMPUTE_NS, true);
        }
        long[] knownNs = {isComputing ? whenLearnt(world, victim) : whenTold(world, victim)};

        Intracomm survivors = world.shrink();
        survivors.bcast(signalNs, 1, MPI.LONG, 0);
        survivors.allReduce(knownNs, 1, MPI.LONG, MPI.MAX);
        if (survivors.getRank() == 0) {
            System.out.printf(Locale.ROOT, "known everywhere after %.1f ms%n", (knownNs[0] - signalNs[0]) / 1e6);
        }
        MPI.Finalize();
    }

    /**
     * Returns the time at which this rank's runtime learned of the death, computed from the age that the error of a
     * send tells. It may be a millisecond or more too late, as the age is in whole milliseconds.
     */
    private static long whenLearnt(Intracomm world, int victim) {
        try {
            world.sSend(new byte[1], 1, MPI.BYTE, victim, 0);
        } catch (ProcFailedException e) {
            Matcher ago = AGO.matcher(e.getMessage());
            if (ago.find()) {
                return System.nanoTime() - Long.parseLong(ago.group(1)) * 1_000_000;
            }
            throw e;
        }
        throw new IllegalStateException("rank " + victim + " received a message after its death");
    }

    /** Waits in a receive from the victim, and returns the time at which the receive raised its error. */
    private static long whenTold(Intracomm world, int victim) {
        try {
            world.recv(new byte[1], 1, MPI.BYTE, victim, 0);
        } catch (ProcFailedException e) {
            if (world.getFailed().getSize() == 1) {
                return System.nanoTime();
            }
            throw e;
        }
        throw new IllegalStateException("rank " + victim + " sent a message, which it never does");
    }

    private static void passUntil(long timeNs, boolean isComputing) {
        while (System.nanoTime() - timeNs < 0) {
            if (isComputing) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(timeNs - System.nanoTime());
            }
        }
    }
}
