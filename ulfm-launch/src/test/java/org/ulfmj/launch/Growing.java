package org.ulfmj.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program for elastic worlds. It sums the same numbers again and again, divided among the present ranks, until a
 * file exists. Between two sums it lets waiting processes join by {@code grow}, and it repeats a sum that a death has
 * interrupted. Each process prints its number and its pid; with a second argument it has a handler for SIGTERM, so that
 * it can leave. Rank 0 prints the number of ranks each time it has changed, and in the end whether the total is right.
 */
final class Growing {
    private static final int NUMBERS = 100;
    private static final long SUM = NUMBERS * (NUMBERS - 1) / 2;
    private static final long PAUSE_NS = 1_000_000;

    private Growing() {}

    public static void main(String[] arguments) {
        System.out.println("process " + System.getenv("ULFM_CHILD") + " is "
                + ProcessHandle.current().pid() + ".");
        MPI.Init(arguments);
        if (arguments.length > 1) {
            MPI.onPreemption(left -> {});
            System.out.println("process " + System.getenv("ULFM_CHILD") + " can leave");
        }
        Path stop = Path.of(arguments[0]);
        Intracomm world = MPI.COMM_WORLD;
        long rounds = 0;
        long total = 0;
        int said = 0;
        while (true) {
            if (world.getRank() == 0 && said != world.getSize()) {
                said = world.getSize();
                System.out.println(said + " ranks");
            }
            long[] state = {rounds, total, Files.exists(stop) ? 1 : 0};
            long sum = sum(world, state);
            if (haveAllMet(world, sum != 0)) {
                rounds = state[0] + 1;
                total = state[1] + sum;
                if (state[2] != 0) {
                    break;
                }
            }
            world = world.grow();
            LockSupport.parkNanos(PAUSE_NS);
        }
        if (world.getRank() == 0) {
            System.out.println(total == rounds * SUM ? "right" : "wrong: " + total + " after " + rounds);
        }
        MPI.Finalize();
    }

    /**
     * Returns the sum, and replaces the given state by the largest values of all members; returns 0 if a member failed.
     */
    private static long sum(Intracomm world, long[] state) {
        long[] sum = {0};
        for (int number = world.getRank(); number < NUMBERS; number += world.getSize()) {
            sum[0] += number;
        }
        try {
            world.allReduce(state, state.length, MPI.LONG, MPI.MAX);
            world.allReduce(sum, 1, MPI.LONG, MPI.SUM);
            return sum[0];
        } catch (MPIException failed) {
            world.revoke();
            return 0;
        }
    }

    private static boolean haveAllMet(Intracomm world, boolean haveMet) {
        try {
            return world.agree(haveMet ? 1 : 0) == 1;
        } catch (MPIException failed) {
            return false;
        }
    }
}
