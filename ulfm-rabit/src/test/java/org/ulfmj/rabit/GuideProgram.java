package org.ulfmj.rabit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;

/**
 * The example of the original Rabit's guide: input that is prepared only where its result is not known. A rank that is
 * started again after the first operation gets that one's recorded result without preparing its input. For ranks that
 * are processes; the argument is an empty directory.
 */
public final class GuideProgram {
    private static final int LENGTH = 3;
    private static final long PAUSE_NS = 1_000_000;
    private static final long MOST_NS = 60_000_000_000L;

    private GuideProgram() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Rabit.run(() -> program(directory));
    }

    private static void program(Path directory) {
        int ranks = Rabit.worldSize();
        int[] data = new int[LENGTH];
        Rabit.loadCheckpoint();
        Rabit.allreduce(data, MPI.MAX, () -> fill("maximum", data));
        meet(directory);
        StringBuilder line = new StringBuilder("rank " + Rabit.rank() + ": maxima");
        for (int i = 0; i < LENGTH; i++) {
            line.append(' ').append(data[i]);
        }
        Rabit.allreduce(data, MPI.SUM, () -> fill("sum", data));
        line.append(", sums");
        for (int i = 0; i < LENGTH; i++) {
            line.append(' ').append(data[i]);
            if (data[i] != ranks * (ranks - 1) / 2 + ranks * i) {
                throw new AssertionError(line);
            }
        }
        System.out.println(line);
    }

    /**
     * Waits until every rank has called this method; throws after a minute. Without this a rank could die while the
     * others still lack the result that it had, and would have to prepare its input again.
     */
    private static void meet(Path directory) {
        try {
            Files.write(directory.resolve("rank" + Rabit.rank()), new byte[0], StandardOpenOption.CREATE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long beganNs = System.nanoTime();
        for (int rank = 0; rank < Rabit.worldSize(); rank++) {
            while (Files.notExists(directory.resolve("rank" + rank))) {
                if (System.nanoTime() - beganNs > MOST_NS) {
                    throw new AssertionError("rank " + rank + " has not come");
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private static void fill(String what, int[] data) {
        System.out.println("rank " + Rabit.rank() + " prepares the " + what);
        for (int i = 0; i < LENGTH; i++) {
            data[i] = Rabit.rank() + i;
        }
    }
}
