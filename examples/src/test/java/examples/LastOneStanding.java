package examples;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * In each round the highest rank kills itself; the other ranks enter a barrier, revoke and shrink, until one is left.
 */
public final class LastOneStanding {
    private LastOneStanding() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Intracomm comm = MPI.COMM_WORLD;
        int rounds = 0;
        while (comm.getSize() > 1) {
            if (comm.getRank() == comm.getSize() - 1) {
                System.out.println("Killing Self");
                System.out.flush();
                String pid = Long.toString(ProcessHandle.current().pid());
                new ProcessBuilder("kill", "-9", pid).start().waitFor();
                throw new IllegalStateException("still alive after kill -9 " + pid);
            }
            try {
                comm.barrier();
            } catch (MPIException e) {
                // The barrier may have returned or failed at this rank, depending on the moment of the death. In both
                // cases the shrink below leaves the dead rank out.
                rounds++;
            }
            comm.revoke();
            comm = comm.shrink();
        }
        System.out.printf("Finalizing alone after %d failed barriers%n", rounds);
        MPI.Finalize();
    }
}
