package org.ulfmj.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;
import org.ulfmj.runtime.Sabotage;

/**
 * An MPI program whose rank 1 ends in the way that the first argument names, mostly in the middle of a job; then the
 * other ranks, unless they are ended too, print how they notice it, go on without rank 1, and finalize. With
 * {@code allReturn} all ranks return from main after Init. With a second argument rank 1 waits until this file exists;
 * with a third each survivor adds a line to this file in the end.
 */
final class Ending {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private Ending() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("beforeInit") && System.getenv("ULFM_RANK").equals("1")) {
            return;
        }
        if (arguments.length > 1) {
            Outliving.endWith(Path.of(arguments[1]).getParent());
        }
        MPI.Init(arguments);
        int rank = WORLD.getRank();
        long[] pids = new long[WORLD.getSize()];
        WORLD.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        if (arguments[0].equals("allReturn")) {
            return;
        }
        meetRankOne(rank);
        if (rank == 1) {
            if (arguments.length > 1) {
                awaitFile(Path.of(arguments[1]));
            }
            end(arguments[0], pids[1]);
            return;
        }
        if (arguments[0].equals("abortInFinalize")) {
            MPI.Finalize();
            return;
        }
        goOn(rank);
        if (arguments.length > 2) {
            Files.writeString(
                    Path.of(arguments[2]), "finalized\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /**
     * Makes rank 1 wait until all other ranks have come here. Otherwise rank 1 could end before the others have
     * finished earlier calls.
     */
    private static void meetRankOne(int rank) {
        int[] nothing = {};
        if (rank != 1) {
            WORLD.send(nothing, 0, MPI.INT, 1, 0);
            return;
        }
        for (int other = 0; other < WORLD.getSize(); other++) {
            if (other != 1) {
                WORLD.recv(nothing, 0, MPI.INT, other, 0);
            }
        }
    }

    private static void goOn(int rank) {
        Comm comm = WORLD;
        try {
            System.out.println(rank + " goes on");
            while (true) {
                comm.barrier();
            }
        } catch (ProcFailedException e) {
            System.out.println(rank + " sees " + e.getMessage());
        } catch (RevokedException e) {
            System.out.println(rank + " is told");
        }
        comm.revoke();
        Intracomm survivors = WORLD.shrink();
        survivors.barrier();
        int size = survivors.getSize();
        MPI.Finalize();
        System.out.println(rank + " finalized with " + size);
    }

    private static void end(String how, long pid) throws Exception {
        switch (how) {
            case "return" -> {}
            case "stay" -> stayHere();
            case "throw" -> throw new IllegalStateException("thrown for a test");
            case "throwBesideOthers" -> {
                stay(false);
                throw new IllegalStateException("thrown for a test");
            }
            case "exit" -> System.exit(5);
            case "exitElsewhere" -> {
                new Thread(() -> System.exit(5)).start();
                barriers();
            }
            case "exitInAHook" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.exit(6)));
                System.exit(5);
            }
            case "halt" -> Runtime.getRuntime().halt(7);
            case "heap" -> fillTheHeap();
            case "direct" -> fillDirectMemory();
            case "term" -> kill("TERM", pid);
            case "kill" -> kill("KILL", pid);
            case "stop" -> {
                kill("STOP", pid);
                barriers();
            }
            case "broken" -> {
                Sabotage.breakInvariant("broken for a test");
                barriers();
            }
            case "brokenWhileItComputes" -> {
                Sabotage.breakInvariant("broken for a test");
                stayHere();
            }
            case "abort" -> WORLD.abort(3);
            case "abortInFinalize" -> {
                // The others are there by then.
                LockSupport.parkNanos(300_000_000);
                WORLD.abort(3);
            }
            case "abortElsewhere" -> {
                new Thread(() -> WORLD.abort(259)).start();
                barriers();
            }
            case "fatal" -> {
                WORLD.setErrhandler(MPI.ERRORS_ARE_FATAL);
                WORLD.send(new int[1], 1, MPI.INT, 99, 0);
            }
            case "threadThrows" -> {
                Thread thread = new Thread(() -> {
                    throw new IllegalStateException("thrown for a test");
                });
                thread.start();
                thread.join();
                System.exit(5);
            }
            default -> throw new IllegalArgumentException(how);
        }
    }

    private static void barriers() {
        try {
            while (true) {
                WORLD.barrier();
            }
        } catch (MPIException e) {
            System.out.println("1 raises " + e.getMessage());
        }
    }

    private static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-s", name, Long.toString(pid)).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal to this process, whose pid is given. Never returns if the signal is not SIGSTOP. */
    static void kill(String signal, long pid) {
        signal(signal, pid);
        if (!signal.equals("STOP")) {
            stayHere();
        }
    }

    private static void awaitFile(Path file) {
        while (!Files.exists(file)) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void stay(boolean isDaemon) {
        Thread thread = new Thread(Ending::stayHere);
        thread.setDaemon(isDaemon);
        thread.start();
    }

    private static void stayHere() {
        while (true) {
            LockSupport.parkNanos(1_000_000_000);
        }
    }

    private static void fillTheHeap() throws InterruptedException {
        // The heap overflows in a thread other than main; the rank must end all the same.
        CountDownLatch never = new CountDownLatch(1);
        new Thread(() -> {
                    List<byte[]> all = new ArrayList<>();
                    while (true) {
                        all.add(new byte[1 << 20]);
                    }
                })
                .start();
        never.await();
    }

    private static void fillDirectMemory() {
        List<ByteBuffer> all = new ArrayList<>();
        while (true) {
            all.add(ByteBuffer.allocateDirect(1 << 26));
        }
    }
}
