package examples;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;

/**
 * How long until every survivor knows of a death. Rank 0 sends SIGKILL to the highest rank at a moment that all agreed on
 * beforehand (the clock is the host's). Even ranks ask {@code getFailed} in a loop. Odd ones make no MPI call until long
 * after the signal: what they know they learnt while the program computed, and the error of a send tells when.
 *
 * <p>The signal comes two seconds after the start: in the first of them the ranks make themselves ready for deaths, which
 * takes long where each shares its core with others that compute.
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

        if (rank == 0) {
            askUntil(signalNs[0], world);
            signalNs[0] = System.nanoTime();
            ProcessHandle.of(pids[victim]).orElseThrow().destroyForcibly();
        } else if (rank % 2 == 1) {
            computeUntil(signalNs[0] + (rank == victim ? GIVE_UP_NS : COMPUTE_NS));
        }
        long[] knownNs = {rank % 2 == 1 ? whenLearnt(world, victim) : whenSeen(world)};

        Intracomm survivors = world.shrink();
        survivors.bcast(signalNs, 1, MPI.LONG, 0);
        survivors.allReduce(knownNs, 1, MPI.LONG, MPI.MAX);
        if (survivors.getRank() == 0) {
            System.out.printf(Locale.ROOT, "known everywhere after %.1f ms%n", (knownNs[0] - signalNs[0]) / 1e6);
        }
        MPI.Finalize();
    }

    /** When this rank, which may have been busy with other things, took note of the death; at most a millisecond less. */
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

    private static long whenSeen(Intracomm world) {
        if (!askUntil(System.nanoTime() + LEAD_NS + GIVE_UP_NS, world)) {
            throw new IllegalStateException("5 s after the signal nobody has failed");
        }
        return System.nanoTime();
    }

    /** Asks again and again who has failed; returns whether somebody has, by this time. */
    private static boolean askUntil(long timeNs, Intracomm world) {
        while (world.getFailed().getSize() == 0) {
            if (System.nanoTime() - timeNs > 0) {
                return false;
            }
        }
        return true;
    }

    private static void computeUntil(long timeNs) {
        while (System.nanoTime() - timeNs < 0) {
            Thread.onSpinWait();
        }
    }
}
