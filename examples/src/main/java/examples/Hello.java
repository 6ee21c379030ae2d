package examples;

import mpi.MPI;

/** Every rank prints its number and its host. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Print.line(
                "Hello from rank %d of %d: process %d on %s, java.version %s",
                MPI.COMM_WORLD.getRank(),
                MPI.COMM_WORLD.getSize(),
                ProcessHandle.current().pid(),
                MPI.getProcessorName(),
                System.getProperty("java.version"));
        MPI.Finalize();
    }
}
