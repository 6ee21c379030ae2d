package examples;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Status;

/** The manager of a {@link TaskFarm}: which worker has which piece, and how many primes each piece has. */
final class TaskManager {
    private static final int NOTHING = -1;

    private final Intracomm world;
    private final Deque<Integer> open = new ArrayDeque<>();
    /** The number of primes of each piece, or {@link #NOTHING} as long as it is not known. */
    private final int[] primes;
    /** For each rank: the piece that it works at, or had when it died; {@link #NOTHING} if none. */
    private final int[] inHand;

    private final int[] doneBy;
    private final boolean[] isDead;
    private int done;
    private int mourned;

    TaskManager(Intracomm world, int pieces) {
        this.world = world;
        primes = new int[pieces];
        Arrays.fill(primes, NOTHING);
        for (int piece = 0; piece < pieces; piece++) {
            open.add(piece);
        }
        inHand = new int[world.getSize()];
        Arrays.fill(inHand, NOTHING);
        doneBy = new int[world.getSize()];
        isDead = new boolean[world.getSize()];
    }

    /** Gives out the pieces, and counts them itself when no worker is left. Returns when every piece is done. */
    void run() {
        Print.line(
                "tasks      %d pieces of %,d numbers, %d %s",
                primes.length, TaskFarm.PIECE, inHand.length - 1, inHand.length == 2 ? "worker" : "workers");
        giveToFreeWorkers();
        while (done < primes.length) {
            if (mourned == inHand.length - 1) {
                doOneMyself();
            } else {
                receiveOne();
            }
        }
        for (int worker = 1; worker < inHand.length; worker++) {
            send(worker, 0, TaskFarm.STOP);
        }
        report();
    }

    private void receiveOne() {
        long[] result = new long[2];
        try {
            Status status = world.recv(result, result.length, MPI.LONG, MPI.ANY_SOURCE, TaskFarm.RESULT);
            int worker = status.getSource();
            inHand[worker] = NOTHING;
            record(worker, (int) result[0], (int) result[1]);
        } catch (ProcFailedException somebodyDied) {
            mourn();
        }
        giveToFreeWorkers();
    }

    /**
     * Handles the deaths of workers that were not handled before. The piece that a dead worker still had becomes the
     * first of the open pieces again.
     */
    private void mourn() {
        int[] failed = Survivors.worldRanks(world.getFailed());
        for (; mourned < failed.length; mourned++) {
            int worker = failed[mourned];
            isDead[worker] = true;
            if (inHand[worker] == NOTHING) {
                Print.line("lost       rank %d, idle", worker);
            } else {
                Print.line("lost       rank %d with piece %d in hand: posted again", worker, inHand[worker]);
                open.addFirst(inHand[worker]);
            }
        }
        // Acknowledges only deaths that were handled. A worker that dies right now makes a later receive raise an error
        // again.
        world.ackFailed(mourned);
    }

    private void giveToFreeWorkers() {
        for (int worker = 1; worker < inHand.length; worker++) {
            if (!isDead[worker] && inHand[worker] == NOTHING && !open.isEmpty()) {
                inHand[worker] = open.remove();
                send(worker, inHand[worker], TaskFarm.TASK);
            }
        }
    }

    private void send(int worker, int piece, int tag) {
        if (isDead[worker]) {
            return;
        }
        try {
            world.send(new int[] {piece}, 1, MPI.INT, worker, tag);
        } catch (ProcFailedException workerDied) {
            // If the worker had a piece to count, a later receive raises this error too; the manager handles it then.
        }
    }

    private void doOneMyself() {
        int piece = open.remove();
        record(TaskFarm.MANAGER, piece, TaskFarm.countPrimes(piece));
    }

    /**
     * Records a result. It may arrive twice: from a worker that died just after sending it, and from the worker that
     * got the piece after that.
     */
    private void record(int by, int piece, int count) {
        if (primes[piece] == NOTHING) {
            primes[piece] = count;
            done++;
            doneBy[by]++;
            open.remove(piece);
        }
    }

    /** How many primes were found in all pieces. */
    int total() {
        return Arrays.stream(primes).sum();
    }

    private void report() {
        for (int rank = 0; rank < inHand.length; rank++) {
            if (rank != TaskFarm.MANAGER || doneBy[rank] > 0) {
                Print.line("  rank %-3d %3d pieces%s", rank, doneBy[rank], isDead[rank] ? ", then died" : "");
            }
        }
        Print.line("finished   %,d primes below %,d", total(), primes.length * TaskFarm.PIECE);
    }
}
