package examples;

import java.nio.file.Files;
import java.nio.file.Path;
import mpi.MPI;

/** Sums by allReduce again and again, checks every sum, and finalizes once the file that the argument names exists. */
final class Steady {
    private Steady() {}

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        Path stop = Path.of(arguments[0]);
        int[] mine = new int[2];
        int[] sums = new int[2];
        int rounds = 0;
        while (sums[1] == 0) {
            mine[0] = rank + rounds;
            mine[1] = rank == 0 && Files.exists(stop) ? 1 : 0;
            MPI.COMM_WORLD.allReduce(mine, sums, 2, MPI.INT, MPI.SUM);
            if (sums[0] != size * rounds + size * (size - 1) / 2) {
                throw new IllegalStateException("sum " + sums[0] + " in round " + rounds);
            }
            rounds++;
        }
        System.out.println("rank " + rank + " ends well");
        MPI.Finalize();
    }
}
