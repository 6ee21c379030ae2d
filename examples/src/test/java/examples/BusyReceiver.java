package examples;

import mpi.Intracomm;
import mpi.MPI;

/**
 * Rank 0 sends short messages by blocking sends while rank 1 computes: they wait once rank 1 holds as much as credit
 * allows, where they would fill its heap otherwise. Then rank 1 receives them all, in order.
 */
public final class BusyReceiver {
    private static final int[] LENGTHS = {0, 1, 8};

    private BusyReceiver() {}

    /** The arguments are the number of messages, and the seconds for which rank 1 computes. */
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        long computingNs = Long.parseLong(args[1]) * 1_000_000_000L;
        MPI.Init(args);
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == 0) {
            send(count, computingNs);
        } else {
            compute(computingNs);
            receive(count);
        }
        MPI.Finalize();
    }

    private static void send(int count, long computingNs) {
        Intracomm world = MPI.COMM_WORLD;
        byte[] data = new byte[8];
        long longestNs = 0;
        int longest = 0;
        long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            data[0] = (byte) i;
            long startNs = System.nanoTime();
            world.send(data, LENGTHS[i % LENGTHS.length], MPI.BYTE, 1, 1);
            long tookNs = System.nanoTime() - startNs;
            if (tookNs > longestNs) {
                longestNs = tookNs;
                longest = i;
            }
        }
        System.err.printf(
                "send %d of %d took %d ms, all of them %d ms%n",
                longest, count, longestNs / 1_000_000, (System.nanoTime() - beginNs) / 1_000_000);
        System.out.println(
                longestNs > computingNs / 2 ? "a send waited for the receiver" : "no send waited for the receiver");
    }

    private static void compute(long computingNs) {
        long startNs = System.nanoTime();
        long steps = 0;
        while (System.nanoTime() - startNs < computingNs) {
            steps++;
        }
        Runtime runtime = Runtime.getRuntime();
        System.err.printf(
                "%d steps; %d KiB of heap in use of %d%n",
                steps, runtime.totalMemory() - runtime.freeMemory() >> 10, runtime.maxMemory() >> 10);
    }

    private static void receive(int count) {
        byte[] data = new byte[8];
        for (int i = 0; i < count; i++) {
            int length = LENGTHS[i % LENGTHS.length];
            data[0] = (byte) ~i;
            int received =
                    MPI.COMM_WORLD.recv(data, data.length, MPI.BYTE, 0, 1).getCount(MPI.BYTE);
            if (received != length || length > 0 && data[0] != (byte) i) {
                throw new IllegalStateException("message " + i + " has " + received + " bytes");
            }
        }
        System.out.println("received " + count + " messages");
    }
}
