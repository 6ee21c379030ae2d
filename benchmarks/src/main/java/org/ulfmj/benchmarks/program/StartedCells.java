package org.ulfmj.benchmarks.program;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Non-blocking collectives, and the blocking reduce and allreduce with the same buffers. A non-blocking one is waited
 * for at once; the allreduce also after a computation or a sleep that takes as long as the blocking allreduce. The data
 * lies in buffers that the library made.
 */
final class StartedCells {
    private static final int CALIBRATION = 31;
    private static final int LARGEST = 4 << 20;
    private static final int SPINS = 100_000;

    /** Keeps the result of the computation, so that no compiler leaves the computation out. */
    private static volatile double computed;

    private final Intracomm world = MPI.COMM_WORLD;
    private final ByteBuffer mine = MPI.newByteBuffer(LARGEST);
    private final ByteBuffer theirs = MPI.newByteBuffer(LARGEST);
    private final DoubleBuffer myDoubles = MPI.newDoubleBuffer(LARGEST / Double.BYTES);
    private final DoubleBuffer theirDoubles = MPI.newDoubleBuffer(LARGEST / Double.BYTES);

    /**
     * The time that a blocking allreduce took when last measured, in nanoseconds; the next field is the number of spins
     * that take as long.
     */
    private long allReduceNs;

    private int spins;

    /**
     * For work with a computation or a sleep, measures how long the blocking allreduce takes. This is done for each
     * round anew: code is compiled meanwhile, and machines have faster and slower moments.
     */
    void prepare(String work, int bytes) {
        if (work.endsWith("-compute") || work.endsWith("-sleep")) {
            calibrate(bytes);
        }
    }

    /** Repeats the operation that the word names. Returns whether the word names an operation of this class. */
    boolean operate(String work, int bytes, int operations) {
        switch (work) {
            case "ibarrier":
                for (int i = 0; i < operations; i++) {
                    world.iBarrier().waitFor();
                }
                return true;
            case "ibcast":
                for (int i = 0; i < operations; i++) {
                    world.iBcast(mine, bytes, MPI.BYTE, 0).waitFor();
                }
                return true;
            case "reduce-direct":
                for (int i = 0; i < operations; i++) {
                    world.reduce(myDoubles, theirDoubles, bytes / Double.BYTES, MPI.DOUBLE, MPI.SUM, 0);
                }
                return true;
            case "ireduce":
                for (int i = 0; i < operations; i++) {
                    world.iReduce(myDoubles, theirDoubles, bytes / Double.BYTES, MPI.DOUBLE, MPI.SUM, 0)
                            .waitFor();
                }
                return true;
            case "allreduce-direct":
                for (int i = 0; i < operations; i++) {
                    allReduce(bytes);
                }
                return true;
            case "iallreduce":
                for (int i = 0; i < operations; i++) {
                    startAllReduce(bytes).waitFor();
                }
                return true;
            case "iallgather":
                for (int i = 0; i < operations; i++) {
                    world.iAllGather(mine, bytes, MPI.BYTE, theirs, bytes, MPI.BYTE)
                            .waitFor();
                }
                return true;
            default:
                return operateBeside(work, bytes, operations);
        }
    }

    private boolean operateBeside(String work, int bytes, int operations) {
        boolean computes = work.endsWith("-compute");
        boolean isStarted = work.startsWith("iallreduce-");
        if (!computes && !work.endsWith("-sleep") || !isStarted && !work.startsWith("allreduce-")) {
            return false;
        }
        for (int i = 0; i < operations; i++) {
            if (isStarted) {
                Request request = startAllReduce(bytes);
                passTime(computes);
                request.waitFor();
            } else {
                allReduce(bytes);
                passTime(computes);
            }
        }
        return true;
    }

    private void allReduce(int bytes) {
        world.allReduce(myDoubles, theirDoubles, bytes / Double.BYTES, MPI.DOUBLE, MPI.SUM);
    }

    private Request startAllReduce(int bytes) {
        return world.iAllReduce(myDoubles, theirDoubles, bytes / Double.BYTES, MPI.DOUBLE, MPI.SUM);
    }

    /** Computes, or sleeps, about as long as the blocking allreduce took when measured, without a call of MPI. */
    private void passTime(boolean computes) {
        if (computes) {
            compute(spins);
        } else {
            LockSupport.parkNanos(allReduceNs);
        }
    }

    private static void compute(int spins) {
        double value = 1;
        for (int i = 0; i < spins; i++) {
            value = value * 1.0000001 + 1e-9;
        }
        computed = value;
    }

    /**
     * Measures how long the blocking allreduce takes, and how many spins of the computation take as long; all ranks get
     * the same numbers.
     */
    private void calibrate(int bytes) {
        long[] ns = new long[CALIBRATION];
        for (int i = 0; i < 2 * CALIBRATION; i++) {
            long startedNs = System.nanoTime();
            allReduce(bytes);
            ns[i % CALIBRATION] = System.nanoTime() - startedNs;
        }
        long[] longest = {median(ns)};
        world.allReduce(longest, 1, MPI.LONG, MPI.MAX);
        allReduceNs = longest[0];
        for (int i = 0; i < CALIBRATION; i++) {
            long startedNs = System.nanoTime();
            compute(SPINS);
            ns[i] = System.nanoTime() - startedNs;
        }
        long[] most = {SPINS * allReduceNs / median(ns)};
        world.allReduce(most, 1, MPI.LONG, MPI.MAX);
        spins = (int) most[0];
    }

    private static long median(long[] ns) {
        Arrays.sort(ns);
        return ns[ns.length / 2];
    }
}
