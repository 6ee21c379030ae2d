package examples;

import java.util.Arrays;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Half the time of a message's way to rank 1 and back, for the sizes given; each printed as {@code bytes µs}, the median of
 * some rounds that follow a first one. However slow the machine is, a size takes about a second.
 */
public final class PingPong {
    private static final int GO_ON = 0;
    private static final int STOP = 1;
    private static final long WARM_UP_NS = 300_000_000;
    private static final long ROUND_NS = 50_000_000;
    private static final int ROUNDS = 11;

    private PingPong() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        for (String size : args) {
            byte[] message = new byte[Integer.parseInt(size)];
            if (world.getRank() == 0) {
                serve(world, message);
            } else {
                reply(world, message);
            }
        }
        MPI.Finalize();
    }

    private static void serve(Intracomm world, byte[] message) {
        exchangeFor(WARM_UP_NS, world, message);
        double[] halves = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            halves[round] = exchangeFor(ROUND_NS, world, message);
        }
        Arrays.sort(halves);
        exchange(world, message, STOP);
        System.out.printf(Locale.ROOT, "%d %.3f%n", message.length, halves[ROUNDS / 2]);
    }

    /** Mean microseconds of half an exchange. */
    private static double exchangeFor(long durationNs, Intracomm world, byte[] message) {
        long startNs = System.nanoTime();
        long passedNs = 0;
        int count = 0;
        while (passedNs < durationNs) {
            for (int i = 0; i < 20; i++) {
                exchange(world, message, GO_ON);
            }
            count += 20;
            passedNs = System.nanoTime() - startNs;
        }
        return passedNs / 2e3 / count;
    }

    private static void exchange(Intracomm world, byte[] message, int tag) {
        world.send(message, message.length, MPI.BYTE, 1, tag);
        world.recv(message, message.length, MPI.BYTE, 1, tag);
    }

    private static void reply(Intracomm world, byte[] message) {
        int tag = GO_ON;
        while (tag != STOP) {
            tag = world.recv(message, message.length, MPI.BYTE, 0, MPI.ANY_TAG).getTag();
            world.send(message, message.length, MPI.BYTE, 0, tag);
        }
    }
}
