package examples.soak;

import examples.soak.RankStatus.Field;
import java.io.IOException;
import java.nio.file.Path;
import mpi.MPI;

/**
 * The program of the ranks in the jobs that {@link Soak} runs. Its arguments are the directory of the run, the seed,
 * the number of deaths, and the steps after the last death.
 */
public final class SoakRank {
    private static final int FAILED = 3;

    private SoakRank() {}

    public static void main(String[] args) throws IOException {
        String[] arguments = MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        RankStatus status = RankStatus.mapped(RankStatus.file(Path.of(arguments[0]), rank));
        status.set(Field.PID, ProcessHandle.current().pid());
        try {
            new SoakProgram(
                            Long.parseLong(arguments[1]),
                            Integer.parseInt(arguments[2]),
                            Long.parseLong(arguments[3]),
                            status)
                    .run();
            status.enter(SoakCall.FINALIZE);
            MPI.Finalize();
            status.set(Field.FINALIZED_NS, System.nanoTime());
            status.enter(SoakCall.ENDED);
        } catch (RuntimeException e) {
            // A soak looks for wrong values, so one such exception aborts the job, even if other threads still work.
            System.err.println("rank " + rank + " of the soak failed: " + status);
            e.printStackTrace();
            System.err.flush();
            MPI.COMM_WORLD.abort(FAILED);
        }
    }
}
