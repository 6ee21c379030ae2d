package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Ranks that work in steps until the file {@code stop} is there. After a failure those that are left go on. They write
 * lines into files of a directory: {@code store} what the store of the job says, {@code pids} then, {@code office} when
 * a rank begins to coordinate the job, {@code shrunk} after a failure, and {@code done} at the end. Rank 0 ends with
 * the second argument. Once the file {@code abort} is there the rank in it aborts the job.
 */
final class Outliving {
    private static final long STEP_NS = 5_000_000;

    private Outliving() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 1) {
            write(directory.resolve("store"), storeError());
        }
        write(directory.resolve("pids"), rank + " " + ProcessHandle.current().pid());
        Intracomm world = MPI.COMM_WORLD;
        boolean isInOffice = false;
        int[] isOver = {0};
        while (isOver[0] == 0) {
            if (!isInOffice && isInOffice()) {
                isInOffice = true;
                write(directory.resolve("office"), Integer.toString(rank));
            }
            isOver[0] = Files.exists(directory.resolve("stop")) ? 1 : 0;
            if (isToAbort(directory.resolve("abort"), rank)) {
                MPI.COMM_WORLD.abort(5);
            }
            try {
                world.allReduce(isOver, 1, MPI.INT, MPI.MAX);
            } catch (ProcFailedException | RevokedException e) {
                world.revoke();
                world = world.shrink();
                isOver[0] = 0;
                write(directory.resolve("shrunk"), rank + " of " + world.getSize());
            }
            LockSupport.parkNanos(STEP_NS);
        }
        int left = world.getSize();
        MPI.Finalize();
        write(directory.resolve("done"), rank + " of " + left);
        if (rank == 0) {
            System.exit(Integer.parseInt(args[1]));
        }
    }

    private static boolean isToAbort(Path file, int rank) throws IOException {
        return Files.exists(file) && Files.readString(file).equals(Integer.toString(rank));
    }

    private static String storeError() {
        try {
            MPI.store().set("key", new byte[1]);
            return "stored";
        } catch (MPIException refused) {
            return refused.getMessage();
        }
    }

    static boolean isInOffice() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("ulfm-office-host")) {
                return true;
            }
        }
        return false;
    }

    private static void write(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
