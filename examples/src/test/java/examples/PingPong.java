package examples;

import java.util.Arrays;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;

/** Half the time of a message's way to rank 1 and back, for the sizes given; each printed as {@code bytes median µs}. */
public final class PingPong {
    private static final int ROUNDS = 15;

    private PingPong() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        for (String size : args) {
            int bytes = Integer.parseInt(size);
            int repeats = Math.max(20, Math.min(4_000, 40_000_000 / (bytes + 10_000)));
            byte[] message = new byte[bytes];
            exchange(world, message, 3 * repeats);
            double[] halves = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long startNs = System.nanoTime();
                exchange(world, message, repeats);
                halves[round] = (System.nanoTime() - startNs) / 2e3 / repeats;
            }
            Arrays.sort(halves);
            if (world.getRank() == 0) {
                System.out.printf(Locale.ROOT, "%d %.3f%n", bytes, halves[ROUNDS / 2]);
            }
        }
        MPI.Finalize();
    }

    private static void exchange(Intracomm world, byte[] message, int repeats) {
        boolean isFirst = world.getRank() == 0;
        for (int i = 0; i < repeats; i++) {
            if (isFirst) {
                world.send(message, message.length, MPI.BYTE, 1, 0);
            }
            world.recv(message, message.length, MPI.BYTE, isFirst ? 1 : 0, 0);
            if (!isFirst) {
                world.send(message, message.length, MPI.BYTE, 0, 0);
            }
        }
    }
}
