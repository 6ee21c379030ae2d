package org.ulfmj.launch;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Resilient;

/**
 * An MPI program with a handler for SIGTERM. {@code alone}: rank 1 sends itself the signal and waits in a receive; its
 * handler sends a last message to rank 0, or, with {@code aloneForEver}, does not return. {@code replaced}: rank 1
 * sends itself the signal until three replacements have been started. {@code all}: the ranks wait for a signal to
 * mpiexec; with {@code throw} or {@code hang} the handler of rank 1 throws or does not return, with {@code none} rank 1
 * has no handler, with {@code finish} all ranks finalize while their handlers still run, with {@code slow} the handler
 * of each rank takes half a second.
 */
final class Preempted {
    private static final int VICTIM = 1;
    private static final int TAG = 3;

    private Preempted() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(rank + " runs its hooks")));
        switch (args[0]) {
            case "alone" -> alone(rank, true);
            case "aloneForEver" -> alone(rank, false);
            case "replaced" -> replaced(rank);
            default -> all(rank, args[0]);
        }
        MPI.Finalize();
    }

    private static void alone(int rank, boolean isInTime) {
        int[] word = {0};
        if (rank == VICTIM) {
            MPI.onPreemption(left -> {
                System.out.println(rank + " has " + left.toMillis() + " ms");
                if (!isInTime) {
                    new CountDownLatch(1).await();
                }
                MPI.COMM_WORLD.send(new int[] {7}, 1, MPI.INT, 0, TAG);
            });
            OwnSignal.send("TERM");
            MPI.COMM_WORLD.recv(word, 1, MPI.INT, 2, TAG);
        }
        if (rank == 0 && isInTime) {
            MPI.COMM_WORLD.recv(word, 1, MPI.INT, VICTIM, TAG);
            System.out.println("0 got " + word[0]);
        }
        try {
            MPI.COMM_WORLD.recv(word, 1, MPI.INT, VICTIM, TAG);
        } catch (ProcFailedException e) {
            System.out.println(rank + " met " + e.getMessage());
        }
        MPI.COMM_WORLD.shrink().barrier();
    }

    private static void replaced(int rank) {
        MPI.onPreemption(left -> {});
        boolean isToEnd = rank == VICTIM && MPI.getIncarnation() < 3;
        Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, new Resilient.Loop() {
            @Override
            public void work(Intracomm comm) {
                if (isToEnd) {
                    OwnSignal.send("TERM");
                }
                for (int i = 0; i < 2 || isToEnd; i++) {
                    comm.barrier();
                }
            }

            @Override
            public void restore(Intracomm comm, Resilient.Recovery recovery) {
                comm.barrier();
            }
        });
        System.out.println(rank + " ended after " + MPI.getIncarnation());
    }

    private static void all(int rank, String how) throws InterruptedException {
        boolean isOfAll = how.equals("finish") || how.equals("slow");
        String mine = rank == VICTIM || isOfAll ? how : "all";
        CountDownLatch isAsked = new CountDownLatch(1);
        if (!mine.equals("none")) {
            MPI.onPreemption(left -> {
                System.out.println(rank + " checkpoints");
                isAsked.countDown();
                switch (mine) {
                    case "throw" -> throw new IOException("thrown for a test");
                    case "slow" -> {
                        new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS);
                        System.out.println(rank + " has saved");
                    }
                    case "hang", "finish" -> new CountDownLatch(1).await();
                    default -> {}
                }
            });
        }
        MPI.COMM_WORLD.barrier();
        if (rank == 0) {
            System.out.println("ready");
        }
        if (mine.equals("finish")) {
            isAsked.await();
            MPI.COMM_WORLD.barrier();
            MPI.Finalize();
            System.exit(0);
        }
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, TAG);
    }
}
