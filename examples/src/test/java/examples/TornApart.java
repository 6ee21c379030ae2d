package examples;

import mpi.MPI;
import org.ulfmj.rabit.DesyncException;
import org.ulfmj.rabit.Rabit;

/** Ranks that call different operations. With argument {@code catch} they catch the error, print it and finalize. */
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
