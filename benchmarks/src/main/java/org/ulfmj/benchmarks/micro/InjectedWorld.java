package org.ulfmj.benchmarks.micro;

import java.nio.ByteBuffer;
import java.util.List;
import mpi.MPI;
import org.ulfmj.testkit.LocalWorld;

/**
 * A world of one rank for {@link InjectionBenchmark}, which loads this class by a separate class loader: so only types
 * of the Java library pass between the two.
 */
public final class InjectedWorld {
    private static final int BYTES = 8;
    private static final int TAG = 1;

    /** The number of a call that the rank never reaches, so that a fault planned there never comes. */
    private static final long NEVER = Long.MAX_VALUE;

    private InjectedWorld() {}

    /**
     * Begins the world.
     *
     * @param isPlanned whether a fault is planned at a call that the rank never makes
     * @return three runnables: one sends a message of the rank to itself and receives it, one makes a call that finds
     *     no message, and one ends the world
     */
    public static List<Runnable> begin(Boolean isPlanned) throws InterruptedException {
        LocalWorld ranks = LocalWorld.of(1);
        ThreadWorld world = new ThreadWorld(isPlanned ? ranks.killing(0, "barrier", NEVER) : ranks, () -> {});
        ByteBuffer out = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer in = ByteBuffer.allocateDirect(BYTES);
        Runnable message = world.asRankZero(() -> {
            MPI.COMM_SELF.send(out, BYTES, MPI.BYTE, 0, TAG);
            MPI.COMM_SELF.recv(in, BYTES, MPI.BYTE, 0, TAG);
        });
        Runnable probe = world.asRankZero(() -> MPI.COMM_SELF.iProbe(0, TAG));
        return List.of(message, probe, () -> end(world));
    }

    private static void end(ThreadWorld world) {
        try {
            world.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
