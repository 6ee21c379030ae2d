package examples;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Makes communicators, uses them, revokes and frees them. Arguments: {@code DIRECTORY ROUNDS}, where the directory is
 * that of the job's shared memory, in a separate file system. Rank 0 prints the most bytes that were in use there when
 * it looked, once per round before the revocation, and in how many rounds it had mapped a new segment of each rank.
 */
final class RevokedOften {
    /** The least number of collectives in a round. */
    private static final int COLLECTIVES = 12;

    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Set<String> KNOWN = new HashSet<>();

    private RevokedOften() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        File directory = new File(args[0]);
        int rounds = Integer.parseInt(args[1]);
        double[] mine = new double[10];
        double[] sum = new double[10];
        long mostBytes = 0;
        int shared = 0;
        for (int round = 0; round < rounds; round++) {
            Intracomm made = MPI.COMM_WORLD.dup();
            long endNs = System.nanoTime() + MOST_NS;
            int found = 0;
            boolean isDone = false;
            // Collectives go by messages until all ranks have made their segments, which a late rank delays; so the
            // round goes on until all segments are mapped, or its time is over.
            for (int i = 0; !isDone; i++) {
                mine[0] = rank + i;
                made.allReduce(mine, sum, mine.length, MPI.DOUBLE, MPI.SUM);
                if (sum[0] != size * (size - 1) / 2 + (double) size * i) {
                    throw new AssertionError("round " + round + ", sum " + sum[0]);
                }
                if (i >= COLLECTIVES - 1) {
                    found += rank == 0 ? newSegments(args[0]) : 0;
                    boolean[] isOver = {found >= size || System.nanoTime() - endNs > 0};
                    made.bcast(isOver, 1, MPI.BOOLEAN, 0);
                    isDone = isOver[0];
                }
            }
            if (rank == 0) {
                shared += found >= size ? 1 : 0;
                mostBytes = Math.max(mostBytes, directory.getTotalSpace() - directory.getUsableSpace());
            }
            MPI.COMM_WORLD.barrier();
            made.revoke();
            made.free();
            MPI.COMM_WORLD.barrier();
        }
        if (rank == 0) {
            System.out.println(mostBytes + " " + shared);
        }
        MPI.Finalize();
    }

    /**
     * Counts the segments that are mapped now and were not mapped at any earlier call. The process's table of mappings
     * shows them as deleted files.
     */
    private static int newSegments(String directory) throws IOException {
        int found = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains(directory) && line.contains("-box-") && line.endsWith("(deleted)")) {
                found += KNOWN.add(line.substring(line.indexOf("-box-"))) ? 1 : 0;
            }
        }
        return found;
    }
}
