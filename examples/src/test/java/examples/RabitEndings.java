package examples;

import java.util.concurrent.locks.LockSupport;
import mpi.MPI;
import org.ulfmj.rabit.Rabit;
import org.ulfmj.rabit.RabitException;

/** Programs of the recovery mode that sum in ten versions, with a slow start, with a mistake, or without either. */
public final class RabitEndings {
    private static final int VERSIONS = 10;

    private RabitEndings() {}

    /**
     * @param args {@code slow MS}: pauses that long before it begins, as if it read its data; {@code late MS}: pauses
     *     that long between Init and the recovery mode, unless it is a replacement; {@code exits}: makes a mistake and
     *     exits by itself; any other word: just sums
     */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "slow" -> {
                pause(args[1]);
                compute(false);
            }
            case "late" -> {
                MPI.Init(args);
                System.out.println("joined");
                if (!MPI.isReplacement()) {
                    pause(args[1]);
                }
                compute(false);
            }
            case "exits" -> {
                try {
                    compute(true);
                } catch (RabitException e) {
                    e.printStackTrace();
                    System.exit(3);
                }
            }
            default -> compute(false);
        }
    }

    private static void compute(boolean isWrong) throws Exception {
        Rabit.run(new String[0], () -> {
            int[] sum = new int[1];
            for (int version = Rabit.loadCheckpoint(); version < VERSIONS; version++) {
                sum[0] = version;
                Rabit.allreduce(sum, MPI.SUM);
                if (isWrong && version == 2 && Rabit.rank() == 1) {
                    Rabit.broadcast(sum, 0);
                }
                Rabit.checkpoint(new byte[1]);
            }
            System.out.println("rank " + Rabit.rank() + " has " + sum[0]);
        });
    }

    private static void pause(String milliseconds) {
        long untilNs = System.nanoTime() + Long.parseLong(milliseconds) * 1_000_000;
        while (System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }
}
