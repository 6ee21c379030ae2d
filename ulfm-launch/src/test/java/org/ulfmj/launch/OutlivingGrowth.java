package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program whose ranks agree again and again, and let waiting processes join, until the file {@code stop} exists.
 * They write lines into files of a directory: {@code pids} number and pid of each process, {@code office} the number of
 * a process that begins to coordinate the job, {@code ranks} the number of ranks each time that rank 0 sees that it has
 * changed, and {@code done} a line at the end.
 */
final class OutlivingGrowth {
    private static final long STEP_NS = 5_000_000;

    private OutlivingGrowth() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        Outliving.endWith(directory);
        String child = System.getenv("ULFM_CHILD");
        write(directory.resolve("pids"), child + " " + ProcessHandle.current().pid());
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        boolean isInOffice = false;
        int said = 0;
        boolean isOver = false;
        while (!isOver) {
            if (!isInOffice && Outliving.isInOffice()) {
                isInOffice = true;
                write(directory.resolve("office"), child);
            }
            if (world.getRank() == 0 && said != world.getSize()) {
                said = world.getSize();
                write(directory.resolve("ranks"), Integer.toString(said));
            }
            isOver = haveAllSeen(world, Files.exists(directory.resolve("stop")));
            if (!isOver) {
                world = world.grow();
                LockSupport.parkNanos(STEP_NS);
            }
        }
        int left = world.getSize();
        MPI.Finalize();
        write(directory.resolve("done"), child + " of " + left);
    }

    /** Whether all members have seen that it is time to stop; false also if one of them has died. */
    private static boolean haveAllSeen(Intracomm world, boolean isTime) {
        try {
            return world.agree(isTime ? 1 : 0) == 1;
        } catch (MPIException failed) {
            return false;
        }
    }

    private static void write(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
