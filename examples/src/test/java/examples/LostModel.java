package examples;

import java.nio.ByteBuffer;
import mpi.MPI;
import org.ulfmj.rabit.Rabit;

/** Commits a few versions with a local model, which each rank has for itself. */
public final class LostModel {
    private static final int VERSIONS = 3;

    private LostModel() {}

    public static void main(String[] args) throws Exception {
        Rabit.run(args, () -> {
            for (int version = Rabit.loadCheckpoint(); version < VERSIONS; version++) {
                Rabit.allreduce(new int[1], MPI.SUM);
                Rabit.checkpoint(ByteBuffer.allocate(1), ByteBuffer.allocate(1));
            }
        });
    }
}
