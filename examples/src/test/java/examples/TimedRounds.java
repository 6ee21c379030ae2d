package examples;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import mpi.MPI;

/**
 * Reduces 8 bytes again and again, until a file is there. Rank 0 writes how long the rounds took, a line for each slice
 * of 100 ms: when it ended by {@link System#nanoTime}, and the number of rounds of each length ({@link Lengths}).
 *
 * <p>Arguments: the file that ends it, and the file to write.
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
