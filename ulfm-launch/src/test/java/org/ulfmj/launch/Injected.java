package org.ulfmj.launch;

import static org.ulfmj.launch.Requirement.require;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * An MPI program for plans of faults. In each round its ranks pass values around a ring, in alternating directions so
 * that each link of three ranks carries messages both ways, check each value that they receive, sum up a number per
 * rank, check the sum, and agree in every tenth round. After a failure the survivors revoke, shrink and go on with the
 * lowest round that one of them is in. Arguments: the number of rounds; the milliseconds between two rounds; the most
 * ranks that may be left in the end, where the rounds go on while there are more; and a file, where the rounds go on
 * until it exists.
 */
public final class Injected {
    private static final int VALUES = 4_000;
    private static Intracomm world;

    private Injected() {}

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        int rounds = Integer.parseInt(arguments[0]);
        long restNs = Long.parseLong(arguments[1]) * 1_000_000;
        int most = arguments.length > 2 ? Integer.parseInt(arguments[2]) : world.getSize();
        Path file = arguments.length > 3 ? Path.of(arguments[3]) : null;
        int failures = 0;
        boolean isTime = file == null;
        for (int round = 0; round < rounds || world.getSize() > most || !isTime; ) {
            try {
                MPI.pControl(round, null);
                pass(round);
                isTime = sum(round, file == null || Files.exists(file));
                if (round % 10 == 9) {
                    world.agree(1);
                }
                round++;
            } catch (ProcFailedException | RevokedException failure) {
                failures++;
                world.revoke();
                world = world.shrink();
                int[] least = {round};
                int[] all = new int[1];
                round = retry(least, all);
            }
            LockSupport.parkNanos(restNs);
        }
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": " + rounds + " rounds, " + failures + " failures");
        MPI.Finalize();
    }

    /** Returns the round with which all survivors go on: the lowest round that one of them is in. */
    private static int retry(int[] own, int[] least) throws MPIException {
        while (true) {
            try {
                world.allReduce(own, least, 1, MPI.INT, MPI.MIN);
                return least[0];
            } catch (ProcFailedException | RevokedException again) {
                world.revoke();
                world = world.shrink();
            }
        }
    }

    private static void pass(int round) throws MPIException {
        int size = world.getSize();
        int rank = world.getRank();
        int[] sent = new int[VALUES];
        for (int i = 0; i < VALUES; i++) {
            sent[i] = rank + round + i;
        }
        int[] got = new int[VALUES];
        int step = round % 2 == 0 ? 1 : size - 1;
        int before = (rank + size - step) % size;
        world.sendRecv(sent, VALUES, MPI.INT, (rank + step) % size, 7, got, VALUES, MPI.INT, before, 7);
        for (int i = 0; i < VALUES; i++) {
            require(got[i] == before + round + i, "value " + i + " of round " + round + " is " + got[i]);
        }
    }

    /**
     * Sums up a number per rank and checks the sum. Returns whether all ranks have given true for {@code isTime}, so
     * that the program may end.
     */
    private static boolean sum(int round, boolean isTime) throws MPIException {
        long[] own = {world.getRank() + (long) round, isTime ? 1 : 0};
        long[] sum = new long[2];
        world.allReduce(own, sum, 2, MPI.LONG, MPI.SUM);
        long size = world.getSize();
        require(sum[0] == size * round + size * (size - 1) / 2, "sum of round " + round + " is " + sum[0]);
        return sum[1] == size;
    }
}
