package examples;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;
import org.ulfmj.rabit.Rabit;

/**
 * Commits a few versions with a global model and a local one, which each rank has for itself. Ranks 1 and 2, which are
 * killed in version 1, wait there for each other, by files in the directory that the environment variable MEET names:
 * if one died while the other is still committing, its local model would be saved.
 */
public final class LostModel {
    private static final int VERSIONS = 3;
    private static final long PAUSE_NS = 1_000_000;

    private LostModel() {}

    public static void main(String[] args) throws Exception {
        Rabit.run(args, () -> {
            for (int version = Rabit.loadCheckpoint(); version < VERSIONS; version++) {
                if (version == 1 && Rabit.rank() > 0) {
                    meet(Path.of(System.getenv("MEET")), Rabit.rank());
                }
                Rabit.allreduce(new int[1], MPI.SUM);
                Rabit.checkpoint(ByteBuffer.allocate(1), ByteBuffer.allocate(1));
            }
        });
    }

    private static void meet(Path directory, int rank) throws IOException {
        Files.writeString(directory.resolve("rank" + rank), "");
        while (!Files.exists(directory.resolve("rank" + (3 - rank)))) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
