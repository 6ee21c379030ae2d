package examples;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Rank 2 sends from a buffer of {@code MPI.newByteBuffer}, which lies in shared memory that the other ranks map, and
 * stops itself with SIGSTOP. Argument: {@code DIRECTORY}, that of the job's shared memory, in a separate file system.
 * The other ranks go on, and wait for at most a minute until the memory of that buffer is free.
 */
final class StoppedLender {
    private static final int VICTIM = 2;
    private static final int LENT_BYTES = 48 << 20;
    private static final int PART_BYTES = 1 << 20;
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(60);

    private StoppedLender() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        File directory = new File(args[0]);
        if (world.getRank() == VICTIM) {
            ByteBuffer lent = MPI.newByteBuffer(LENT_BYTES);
            for (int other = 0; other < VICTIM; other++) {
                world.send(lent, PART_BYTES, MPI.BYTE, other, 0);
            }
            Signal.stop(ProcessHandle.current().pid());
            throw new AssertionError("stopped, and goes on");
        }
        world.recv(MPI.newByteBuffer(PART_BYTES), PART_BYTES, MPI.BYTE, VICTIM, 0);
        long before = usedBytes(directory);
        try {
            world.barrier();
            throw new AssertionError("a barrier with one that is stopped");
        } catch (ProcFailedException | RevokedException expected) {
            world.revoke();
        }
        Intracomm left = world.shrink();
        long beginNs = System.nanoTime();
        int[] isFree = {0};
        while (isFree[0] < left.getSize() && System.nanoTime() - beginNs < MOST_NS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            int[] mine = {names(directory) == 0 && before - usedBytes(directory) > LENT_BYTES / 2 ? 1 : 0};
            left.allReduce(mine, isFree, 1, MPI.INT, MPI.SUM);
        }
        if (left.getRank() == 0) {
            System.out.println("lent " + (before > LENT_BYTES) + ", names left " + names(directory) + ", free "
                    + (isFree[0] == left.getSize()));
            System.err.println("used " + before + " then " + usedBytes(directory) + " bytes, after "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs) + " ms");
        }
        MPI.Finalize();
    }

    private static long usedBytes(File directory) {
        return directory.getTotalSpace() - directory.getUsableSpace();
    }

    /** Counts the files in shared memory that the stopped rank had made, its owner record included. */
    private static int names(File directory) {
        int count = 0;
        for (File job : directory.listFiles((file, name) -> name.startsWith("ulfm-shm-"))) {
            count += job.list((file, name) -> name.startsWith(VICTIM + ".0-") || name.equals("owner." + VICTIM + ".0"))
                    .length;
        }
        return count;
    }
}
