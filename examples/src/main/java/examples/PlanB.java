package examples;

import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Resilient;
import mpi.RevokedException;

/**
 * Shows why there is a {@code revoke}. In plan A the ranks form a chain: each waits for the number of the rank before
 * it and passes it on. When a rank dies only its neighbours notice. The next rank in the chain wants to change to plan
 * B. But the ranks behind it wait for it, and would do so for ever: it lives, so no failure ends their wait.
 *
 * <p>So a rank that notices the death revokes the communicator. That ends the wait of every rank, and all meet in plan
 * B: the same chain with the ranks that are left. With {@code norevoke} the rank does not revoke, and the job stands
 * still; {@code --timeout} then shows which rank waits for which.
 *
 * <pre>
 *   bin/mpiexec -n 5 --inject 'kill:rank=0@iter=3' examples PlanB
 *   bin/mpiexec -n 5 --inject 'kill:rank=0@iter=3' --timeout 5 examples PlanB norevoke
 * </pre>
 *
 * The code of plan A does by hand what {@link Resilient} does in plan B.
 */
public final class PlanB {
    private static final int ROUNDS = 10;
    private static final int NUMBER = 1;

    private final boolean revokes;
    private int round;
    private long endNs;

    /** How plan A ended at a rank. */
    private enum End {
        GOT_THROUGH("got through"),
        MET_DEATH("met the failure: revokes and turns to plan B"),
        WAS_FREED("waited for one that lives, and was freed");

        private final String text;

        End(String text) {
            this.text = text;
        }
    }

    PlanB(boolean revokes) {
        this.revokes = revokes;
    }

    public static void main(String[] args) {
        String[] arguments = MPI.Init(args);
        if (arguments.length > 0 && !arguments[0].equals("norevoke")) {
            throw new IllegalArgumentException("'" + arguments[0] + "' is no argument of PlanB; allowed: norevoke");
        }
        new PlanB(arguments.length == 0).run(MPI.COMM_WORLD);
        MPI.Finalize();
    }

    void run(Intracomm world) {
        if (world.getRank() == 0) {
            Print.line("plan A     %d ranks in a chain, %d rounds", world.getSize(), ROUNDS);
        }
        End end = planA(world);
        int endedIn = round;
        if (allGotThrough(world, end)) {
            if (world.getRank() == 0) {
                System.out.println("finished   plan A");
            }
            return;
        }
        Intracomm left = Resilient.run(world.shrink(), comm -> {
            tell(comm, new long[] {Survivors.worldRanks(comm.getGroup())[comm.getRank()], endedIn, end.ordinal(), endNs
            });
            chain(comm);
        });
        if (left.getRank() == 0) {
            Print.line("finished   plan B, %d rounds on the %d ranks that are left", ROUNDS, left.getSize());
        }
    }

    private End planA(Intracomm comm) {
        try {
            chain(comm);
            return End.GOT_THROUGH;
        } catch (ProcFailedException death) {
            endNs = nowNs();
            if (revokes) {
                comm.revoke();
            } else {
                Print.line(
                        "  rank %-3d round %2d: met the failure, turns to plan B, tells no rank",
                        comm.getRank(), round);
            }
            return End.MET_DEATH;
        } catch (RevokedException sentByARankThatMetIt) {
            endNs = nowNs();
            return End.WAS_FREED;
        }
    }

    /** The time by MPI's clock, which all ranks of a host share, and which a simulated run repeats. */
    private static long nowNs() {
        return Math.round(MPI.wtime() * 1e9);
    }

    /** In each round a rank waits for the rank before it and passes the number on to the next rank. */
    private void chain(Intracomm comm) {
        int rank = comm.getRank();
        int before = rank == 0 ? MPI.PROC_NULL : rank - 1;
        int next = rank == comm.getSize() - 1 ? MPI.PROC_NULL : rank + 1;
        int[] number = new int[1];
        for (round = 1; round <= ROUNDS; round++) {
            MPI.pControl(round, null);
            comm.recv(number, 1, MPI.INT, before, NUMBER);
            number[0]++;
            // The synchronous send does not return before the next rank has begun to receive the number, so that a rank
            // is at most one round ahead of the next one.
            comm.sSend(number, 1, MPI.INT, next, NUMBER);
        }
    }

    /**
     * Whether all ranks got through plan A and the agreement reports no death. As they agree on it, no rank goes home
     * while another one waits for it in plan B.
     */
    private static boolean allGotThrough(Intracomm comm, End end) {
        try {
            return comm.agree(end == End.GOT_THROUGH ? 1 : 0) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }

    /** Prints at rank 0 how plan A ended at each rank that is left. */
    private static void tell(Intracomm comm, long[] own) {
        long[] all = new long[own.length * comm.getSize()];
        comm.gather(own, own.length, MPI.LONG, all, own.length, MPI.LONG, 0);
        if (comm.getRank() != 0) {
            return;
        }
        long firstNs = Long.MAX_VALUE;
        for (int at = 0; at < all.length; at += own.length) {
            firstNs = all[at + 2] == End.MET_DEATH.ordinal() ? Math.min(firstNs, all[at + 3]) : firstNs;
        }
        for (int at = 0; at < all.length; at += own.length) {
            End end = End.values()[(int) all[at + 2]];
            String later = end == End.WAS_FREED && firstNs != Long.MAX_VALUE
                    ? String.format(Locale.ROOT, " after %.1f ms", (all[at + 3] - firstNs) / 1e6)
                    : "";
            Print.line("  rank %-3d round %2d: %s%s", all[at], Math.min(all[at + 1], ROUNDS), end.text, later);
        }
    }
}
