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
 * An MPI program whose ranks work in steps until the file {@code stop} exists. After a failure the ranks that are left
 * go on. They write lines into files of a directory: {@code store} has the error of rank 1 when it used the store of
 * the job, {@code pids} rank and pid of each process, {@code office} the rank that begins to coordinate the job,
 * {@code shrunk} a line per rank after a failure, and {@code done} a line per rank at the end. Rank 0 exits with the
 * second argument as its code. Once the file {@code abort} exists, the rank that it names aborts the job.
 */
final class Outliving {
    private static final long STEP_NS = 5_000_000;
    private static final long LOOK_NS = 500_000_000;

    /**
     * The bits on which the ranks agree after a step: {@code THROUGH} if all have finished the step, {@code OVER} if
     * all have seen that it was the last one.
     */
    private static final int THROUGH = 1;

    private static final int OVER = 2;

    private Outliving() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        endWith(directory);
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 1) {
            write(directory.resolve("store"), storeError());
        }
        write(directory.resolve("pids"), rank + " " + ProcessHandle.current().pid());
        Intracomm world = MPI.COMM_WORLD;
        boolean isInOffice = false;
        boolean isOver = false;
        while (!isOver) {
            if (!isInOffice && isInOffice()) {
                isInOffice = true;
                write(directory.resolve("office"), Integer.toString(rank));
            }
            int seen = Files.exists(directory.resolve("stop")) ? OVER : 0;
            if (isToAbort(directory.resolve("abort"), rank)) {
                MPI.COMM_WORLD.abort(5);
            }
            int agreed = agree(world, isThrough(world) ? THROUGH | seen : 0);
            if ((agreed & THROUGH) == 0) {
                world = world.shrink();
                write(directory.resolve("shrunk"), rank + " of " + world.getSize());
            }
            isOver = (agreed & OVER) != 0;
            LockSupport.parkNanos(STEP_NS);
        }
        int left = world.getSize();
        MPI.Finalize();
        write(directory.resolve("done"), rank + " of " + left);
        if (rank == 0) {
            System.exit(Integer.parseInt(args[1]));
        }
    }

    /**
     * Does one step of work. Returns false if a failure interrupted it at this rank, though perhaps not at other ranks.
     */
    private static boolean isThrough(Intracomm world) {
        try {
            world.allReduce(new int[1], 1, MPI.INT, MPI.SUM);
            return true;
        } catch (ProcFailedException | RevokedException e) {
            world.revoke();
            return false;
        }
    }

    /** Agrees on a flag. Returns the same value at all ranks that are left: 0 after a failure. */
    private static int agree(Intracomm world, int flag) {
        try {
            return world.agree(flag);
        } catch (ProcFailedException e) {
            return 0;
        }
    }

    /**
     * Ends this process once the directory is deleted. That happens after each test, also after one that has failed, so
     * no process outlives its test.
     */
    static void endWith(Path directory) {
        Thread watch = new Thread(() -> {
            while (Files.isDirectory(directory)) {
                LockSupport.parkNanos(LOOK_NS);
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
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
