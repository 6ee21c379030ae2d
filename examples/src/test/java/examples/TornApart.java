package examples;

import mpi.MPI;
import org.ulfmj.rabit.DesyncException;
import org.ulfmj.rabit.Rabit;

/**
 * Rank 0 calls another operation of the recovery mode than the other ranks. With argument {@code catch} the ranks catch
 * the error, print that, and finalize.
 */
public final class TornApart {
    private TornApart() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            Rabit.run(TornApart::differ);
            return;
        }
        Rabit.init();
        try {
            differ();
        } catch (DesyncException seen) {
            System.out.println("rank " + Rabit.rank() + " saw it");
        }
        MPI.Finalize();
    }

    private static void differ() {
        Rabit.loadCheckpoint();
        if (Rabit.rank() == 0) {
            Rabit.broadcast(new int[1], 0);
        } else {
            Rabit.allreduce(new int[1], MPI.SUM);
        }
    }
}
