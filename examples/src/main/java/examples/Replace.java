package examples;

import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/**
 * Counts the prime numbers below ten million on a world that keeps its size. When a rank is killed, mpiexec starts a
 * new process in its place. The new process begins in {@code main} as the first one did, returns from {@code Init} with
 * the world of the other ranks, gets their state, and counts on with them. The result is that of a run in which no rank
 * dies.
 *
 * <pre>  bin/mpiexec -n 4 --max-restarts 3 --inject 'kill:rank=2@iter=10; kill:rank=0@iter=20' examples Replace</pre>
 */
public final class Replace implements Resilient.Loop {
    private static final int PIECES = 200;

    /** The state that must not be lost: the number of the next piece, and how many primes were in those before it. */
    private final long[] state = new long[2];

    private Replace() {}

    public static void main(String[] args) {
        MPI.Init(args);
        if (MPI.isReplacement()) {
            Print.line("  rank %d   process %d of this rank comes in", rank(), MPI.getIncarnation() + 1);
        }
        Replace count = new Replace();
        Intracomm world = Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, count);
        if (world.getRank() == 0) {
            long numbers = (long) PIECES * TaskFarm.PIECE;
            Print.line("finished   %,d primes below %,d on %d ranks", count.state[1], numbers, world.getSize());
        }
        MPI.Finalize();
    }

    @Override
    public void work(Intracomm comm) {
        for (int round = 1; state[0] < PIECES; round++) {
            MPI.pControl(round, null);
            int piece = (int) state[0] + comm.getRank();
            long[] primes = {piece < PIECES ? TaskFarm.countPrimes(piece) : 0};
            comm.allReduce(primes, 1, MPI.LONG, MPI.SUM);
            state[0] += comm.getSize();
            state[1] += primes[0];
        }
    }

    /**
     * Gives all ranks the state of the rank that got furthest: some ranks may have got through the last round when
     * others have not, and a new process has counted nothing.
     */
    @Override
    public void restore(Intracomm comm, Resilient.Recovery recovery) {
        long[] furthest = {state[0] * comm.getSize() + comm.getRank()};
        comm.allReduce(furthest, 1, MPI.LONG, MPI.MAX);
        long[] known = state.clone();
        comm.bcast(known, known.length, MPI.LONG, (int) (furthest[0] % comm.getSize()));
        System.arraycopy(known, 0, state, 0, known.length);
        if (comm.getRank() == 0) {
            double waitedMs = (recovery.getShrunkNs() - recovery.getNoticedNs()) / 1e6;
            Print.line(
                    "recovered  %d ranks go on after %.1f ms, %d pieces are counted",
                    comm.getSize(), waitedMs, state[0]);
        }
    }

    private static int rank() {
        return MPI.COMM_WORLD.getRank();
    }
}
