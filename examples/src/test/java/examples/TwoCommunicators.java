package examples;

import java.io.File;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Messages from each rank to each other one, and collectives on two communicators in turn, short and long. Arguments:
 * {@code DIRECTORY ROUNDS}, where the directory is that of the job's shared memory. Rank 0 prints the nanoseconds per
 * round, and how many bytes of the file system are in use.
 */
final class TwoCommunicators {
    private static final int[] DOUBLES = {1, 100, 1_000, 8_000, 65_536};
    private static final int MESSAGE_BYTES = 20_000;
    private static final int WARM_UP = 2;

    private TwoCommunicators() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        Intracomm other = world.dup();
        File directory = new File(args[0]);
        int rounds = Integer.parseInt(args[1]);
        for (int i = 0; i < rounds / WARM_UP; i++) {
            round(world, other);
        }
        world.barrier();
        long beginNs = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            round(world, other);
        }
        world.barrier();
        long roundNs = (System.nanoTime() - beginNs) / rounds;
        if (world.getRank() == 0) {
            System.out.println(roundNs + " " + (directory.getTotalSpace() - directory.getUsableSpace()));
        }
        MPI.Finalize();
    }

    private static void round(Intracomm world, Intracomm other) throws Exception {
        int rank = world.getRank();
        int size = world.getSize();
        for (int length : DOUBLES) {
            double[] mine = new double[length];
            double[] sum = new double[length];
            mine[length - 1] = rank;
            for (Intracomm each : new Intracomm[] {world, other}) {
                each.allReduce(mine, sum, length, MPI.DOUBLE, MPI.SUM);
                if (sum[length - 1] != size * (size - 1) / 2) {
                    throw new AssertionError(length + " doubles, sum " + sum[length - 1]);
                }
            }
        }
        ByteBuffer sent = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        ByteBuffer received = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        for (int step = 1; step < size; step++) {
            int to = (rank + step) % size;
            int from = (rank + size - step) % size;
            world.sendRecv(sent, MESSAGE_BYTES, MPI.BYTE, to, 0, received, MESSAGE_BYTES, MPI.BYTE, from, 0);
        }
    }
}
