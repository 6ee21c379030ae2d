package examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Measures half the time of a message's round trip between ranks 0 and 1, for each size that is given. For each it
 * prints {@code bytes µs}, the median of some rounds after a warm-up. However slow the machine is, a size takes about a
 * second. The last line tells how many bytes rank 0 sent, and how many bytes its process wrote by system calls in that
 * time, to sockets and files.
 */
public final class PingPong {
    private static final int GO_ON = 0;
    private static final int STOP = 1;
    private static final long WARM_UP_NS = 300_000_000;
    private static final long ROUND_NS = 50_000_000;
    private static final int ROUNDS = 11;
    private static final Path IO_COUNTERS = Path.of("/proc/self/io");
    private static final String WRITTEN = "wchar: ";

    private static long sentBytes;

    private PingPong() {}

    public static void main(String[] args) throws IOException {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        long writtenBefore = writtenBytes();
        for (String size : args) {
            byte[] message = new byte[Integer.parseInt(size)];
            if (world.getRank() == 0) {
                serve(world, message);
            } else {
                reply(world, message);
            }
        }
        if (world.getRank() == 0) {
            System.out.printf("sent %d written %d%n", sentBytes, writtenBytes() - writtenBefore);
        }
        MPI.Finalize();
    }

    /** The bytes that this process has written by system calls so far, to sockets and files. */
    private static long writtenBytes() throws IOException {
        for (String line : Files.readAllLines(IO_COUNTERS)) {
            if (line.startsWith(WRITTEN)) {
                return Long.parseLong(line.substring(WRITTEN.length()));
            }
        }
        throw new IOException("no line '" + WRITTEN + "' in " + IO_COUNTERS);
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

    /**
     * Exchanges the message with the other rank for this time. Returns the mean time of half an exchange, in
     * microseconds.
     */
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
        sentBytes += message.length;
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
