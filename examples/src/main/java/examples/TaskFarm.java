package examples;

import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Status;

/**
 * A manager gives out work, piece by piece, to any rank that is free. Rank 0 manages, the others count the prime
 * numbers of their piece. The example shows recovery without {@code revoke} and {@code shrink}: workers only talk to
 * the manager, so only the manager has to handle a worker's death. The manager acknowledges the failure, so that it can
 * receive from {@code ANY_SOURCE} again, and gives the dead worker's piece to another worker.
 *
 * <p>The manager alone knows which pieces are done. When the manager dies the job is lost: one of the workers prints
 * that, and the job ends with code {@value #MANAGER_DIED}.
 *
 * <pre>  bin/mpiexec -n 5 --inject 'kill:rank=2@iter=12; kill:rank=4@t=1s' examples TaskFarm [pieces]</pre>
 */
public final class TaskFarm {
    static final int MANAGER = 0;
    static final int MANAGER_DIED = 3;
    static final int PIECE = 50_000;
    static final int TASK = 1;
    static final int RESULT = 2;
    static final int STOP = 3;

    private TaskFarm() {}

    public static void main(String[] args) {
        String[] arguments = MPI.Init(args);
        int pieces = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
        if (MPI.COMM_WORLD.getRank() == MANAGER) {
            new TaskManager(MPI.COMM_WORLD, pieces).run();
        } else {
            serve(MPI.COMM_WORLD);
        }
        MPI.Finalize();
    }

    /** The program of a worker. */
    static void serve(Intracomm world) {
        try {
            work(world);
        } catch (ProcFailedException managerDied) {
            giveUp(world);
        }
    }

    /** Counts one piece after the other. Talks to no rank but the manager. */
    private static void work(Intracomm world) {
        int[] task = new int[1];
        int taken = 0;
        while (true) {
            Status status = world.recv(task, 1, MPI.INT, MANAGER, MPI.ANY_TAG);
            if (status.getTag() == STOP) {
                return;
            }
            MPI.pControl(++taken, null);
            long[] result = {task[0], countPrimes(task[0])};
            world.send(result, result.length, MPI.LONG, MANAGER, RESULT);
        }
    }

    /** How many primes there are among the {@link #PIECE} numbers of a piece. */
    static int countPrimes(int piece) {
        int count = 0;
        for (int number = piece * PIECE; number < (piece + 1) * PIECE; number++) {
            count += isPrime(number) ? 1 : 0;
        }
        return count;
    }

    private static boolean isPrime(int number) {
        if (number < 4 || number % 2 == 0) {
            return number == 2 || number == 3;
        }
        for (int divisor = 3; divisor * divisor <= number; divisor += 2) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Ends the job because the manager is dead. The lowest worker that is left prints the reason. The other workers
     * wait until it is printed, so that none of them aborts the job before that.
     */
    private static void giveUp(Intracomm comm) {
        Intracomm workers = comm.shrink();
        if (workers.getRank() == 0) {
            System.err.println("TaskFarm: the manager, rank " + MANAGER
                    + ", has died, and only it knew what is done; the job ends, please start it again");
        }
        try {
            workers.agree(1);
        } catch (ProcFailedException perhapsTheSpeakerDied) {
            giveUp(workers);
        }
        workers.abort(MANAGER_DIED);
    }
}
