package waiting;

import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.UserFunction;

/**
 * An MPI program in which rank 1 hangs: {@code outside} of MPI, {@code inside} an operator, or in its error
 * {@code handler}; with {@code deadlock}, rank 0 and rank 1 wait for each other. With {@code late} all ranks first
 * stand outside of MPI for 4 s, then rank 1 does so for 8 s and goes on.
 */
public final class Hung {
    private static final double LONG_S = 600;

    private Hung() {}

    /** An operator that returns only after ten minutes, at the rank that runs it. */
    private static final class Endless extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype datatype) {
            System.out.println(MPI.COMM_WORLD.getRank() + " runs the operator.");
            stand(LONG_S);
        }
    }

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        try {
            switch (arguments[0]) {
                case "outside" -> outside(rank, LONG_S);
                case "inside" ->
                    MPI.COMM_WORLD.reduce(new int[] {1}, new int[1], 1, MPI.INT, new Op(new Endless(), true), 1);
                case "handler" -> handler(rank);
                case "deadlock" -> MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - rank, 7);
                default -> {
                    stand(4);
                    MPI.COMM_WORLD.barrier();
                    System.out.println(rank + " has computed by itself.");
                    outside(rank, 8);
                }
            }
            MPI.COMM_WORLD.barrier();
        } catch (MPIException e) {
            System.out.println(rank + " goes on: " + (e.getErrorClass() == MPI.ERR_PROC_FAILED));
        }
        MPI.Finalize();
    }

    /** Rank 1 makes a mistake, and its handler of that error returns only after ten minutes. */
    private static void handler(int rank) {
        if (rank == 1) {
            MPI.COMM_WORLD.setErrhandler(Comm.createErrhandler((comm, errorClass) -> {
                System.out.println(rank + " handles an error.");
                stand(LONG_S);
            }));
            MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 99, 7);
        }
        MPI.COMM_WORLD.barrier();
    }

    private static void outside(int rank, double seconds) {
        if (rank == 1) {
            stand(seconds);
        }
        MPI.COMM_WORLD.barrier();
    }

    /** Does not call MPI. */
    private static void stand(double seconds) {
        long untilNs = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }
}
