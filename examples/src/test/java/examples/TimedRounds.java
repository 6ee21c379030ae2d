package examples;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import mpi.MPI;

/**
 * Two ranks do an allReduce of 8 bytes again and again, until a file exists. Each writes how long its rounds took, one
 * line per 100 ms: the {@link System#nanoTime} at the end of these 100 ms, and how many rounds had which duration
 * ({@link Lengths}).
 *
 * <p>Arguments: the file that ends the program, and the file to write, to whose name each rank adds its number.
 */
final class TimedRounds {
    private static final long SLICE_NS = 100_000_000;
    private static final int ROUNDS_BETWEEN_LOOKS = 1_000;

    private TimedRounds() {}

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        Path stop = Path.of(arguments[0]);
        Lengths lengths = new Lengths();
        int[] mine = new int[2];
        int[] sums = new int[2];
        try (BufferedWriter out = Files.newBufferedWriter(Path.of(arguments[1] + "." + rank))) {
            long endNs = System.nanoTime() + SLICE_NS;
            for (int round = 0; sums[1] == 0; round++) {
                mine[0] = rank + round;
                mine[1] = rank == 0 && round % ROUNDS_BETWEEN_LOOKS == 0 && Files.exists(stop) ? 1 : 0;
                long startNs = System.nanoTime();
                MPI.COMM_WORLD.allReduce(mine, sums, 2, MPI.INT, MPI.SUM);
                long nowNs = System.nanoTime();
                if (sums[0] != 2 * round + 1) {
                    throw new IllegalStateException("sum " + sums[0] + " in round " + round);
                }
                lengths.add(nowNs - startNs);
                if (nowNs - endNs >= 0) {
                    write(out, nowNs, lengths);
                    endNs = System.nanoTime() + SLICE_NS;
                }
            }
        }
        System.out.println("rank " + rank + " ends well");
        MPI.Finalize();
    }

    private static void write(BufferedWriter out, long nowNs, Lengths lengths) throws IOException {
        out.write(nowNs + lengths.text());
        out.newLine();
        lengths.clear();
    }
}
