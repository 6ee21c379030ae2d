package org.ulfmj.launch;

import java.util.concurrent.CountDownLatch;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program with actions for signals. Without an argument it waits for three signals: SIGUSR2, at which the action
 * throws, SIGUSR1, for which rank 0 has no action, and SIGWINCH, which ends each rank once its action has run. With one
 * argument it prints that, calls no MPI and waits for ever. With two, each rank sends itself SIGUSR1, for which rank 0
 * has no action.
 */
final class Signalled {
    private static final int USR1 = 10;

    private Signalled() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 1) {
            rawSignal(arguments);
            return;
        }
        if (arguments.length > 0) {
            System.out.println(arguments[0]);
            new CountDownLatch(1).await();
        }
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        CountDownLatch end = new CountDownLatch(1);
        MPI.onSignal("USR2", () -> {
            System.out.println(rank + " got USR2 on " + Thread.currentThread().getName());
            throw new IllegalStateException("thrown for a test");
        });
        MPI.onSignal("USR1", () -> System.out.println(rank + " got USR1"));
        MPI.onSignal("SIGWINCH", () -> {
            System.out.println(rank + " got WINCH");
            end.countDown();
        });
        if (rank == 0) {
            MPI.onSignal("USR1", null);
            refuseNoName();
        }
        MPI.COMM_WORLD.barrier();
        if (rank == 0) {
            System.out.println("0 is ready");
        }
        end.await();
        MPI.COMM_WORLD.barrier();
        MPI.Finalize();
    }

    private static void rawSignal(String[] arguments) throws InterruptedException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 1) {
            MPI.onSignal("USR1", () -> System.out.println(rank + " got USR1"));
        } else {
            OwnSignal.awaitHandler(USR1);
        }
        OwnSignal.send("USR1");
        new CountDownLatch(1).await();
    }

    private static void refuseNoName() {
        try {
            MPI.onSignal("SIG", null);
        } catch (MPIException refused) {
            System.out.println(refused.getErrorClass() == MPI.ERR_ARG ? refused.getMessage() : "another class");
        }
    }
}
