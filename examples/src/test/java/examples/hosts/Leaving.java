package examples.hosts;

import java.nio.file.Files;
import java.nio.file.Path;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Resilient;

/**
 * Ranks do allReduce until a file {@code enough} exists in a directory. Ranks that fail before are left out. Each rank
 * writes there, into a file named by its number, how many ranks there were at the end. With {@code saving} each rank
 * handles SIGTERM: it takes half a second, and then makes a file {@code saved} with its number.
 */
final class Leaving {
    private static final long SAVING_MS = 500;

    private Leaving() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Path directory = Path.of(args[0]);
        int rank = MPI.COMM_WORLD.getRank();
        if (args.length > 1 && args[1].equals("saving")) {
            MPI.onPreemption(left -> {
                Thread.sleep(SAVING_MS);
                Files.createFile(directory.resolve("saved" + rank));
            });
        }
        Intracomm ended = Resilient.run(MPI.COMM_WORLD, comm -> work(comm, directory));
        Files.writeString(directory.resolve(Integer.toString(rank)), Integer.toString(ended.getSize()));
        MPI.Finalize();
    }

    private static void work(Intracomm comm, Path directory) throws MPIException {
        int[] ofAll = {0};
        for (boolean isFirst = true; ofAll[0] == 0; isFirst = false) {
            ofAll[0] = Files.exists(directory.resolve("enough")) ? 1 : 0;
            comm.allReduce(ofAll, 1, MPI.INT, MPI.MAX);
            if (isFirst && comm.getRank() == 0) {
                System.out.println("begun");
            }
        }
    }
}
