package examples;

import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/** Does barriers, and recovers from deaths, until this rank is the only one left. The test kills the other ranks. */
public final class UntilAlone {
    private UntilAlone() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int[] recoveries = new int[1];
        double startSeconds = MPI.wtime();
        Resilient.run(MPI.COMM_WORLD, new Resilient.Loop() {
            @Override
            public void work(Intracomm comm) {
                while (comm.getSize() > 1) {
                    comm.barrier();
                }
            }

            @Override
            public void restore(Intracomm comm, Resilient.Recovery recovery) {
                recoveries[0]++;
            }
        });
        System.out.printf(
                Locale.ROOT,
                "rank %d alone after %d recoveries in %.1f s%n",
                rank,
                recoveries[0],
                MPI.wtime() - startSeconds);
        MPI.Finalize();
    }
}
