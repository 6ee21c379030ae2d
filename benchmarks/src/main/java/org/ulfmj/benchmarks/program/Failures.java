package org.ulfmj.benchmarks.program;

import java.io.IOException;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/** Revokes and deaths, with the moments at which ranks learn of them, and the calls that follow. */
final class Failures {
    /**
     * How many figures each rank has per repetition of {@link #revoke}: the time at which it knew (at rank 0, at which
     * it began the revoke call), the times of three collectives, and the one at {@link #BY_ITSELF}.
     */
    private static final int FIGURES = 5;

    /**
     * Index of a figure: at rank 0 the time of the revoke call itself; at other ranks the time of a further call on the
     * revoked communicator.
     */
    private static final int BY_ITSELF = 4;

    private static final int MOST_SHOWN = 200;
    private static final long POLLING_NS = 50_000;

    private final Orders orders;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int me = world.getRank();
    private final int size = world.getSize();

    Failures(Orders orders) {
        this.orders = orders;
    }

    /**
     * Rank 0 revokes a communicator in which all other ranks wait, and then all ranks use another communicator at once.
     * Rank 0 answers per repetition: how long after the begin of the revoke call the first and the last of the others
     * knew; the times of the first three collectives on the other communicator, each at the slowest rank; the time of
     * the revoke call; the time of a further call on the revoked communicator, at the quickest of the other ranks; and,
     * for comparison, how long a broadcast of 8 bytes in the same situation took to the last rank, which shows how long
     * news takes that is no failure.
     *
     * @param sleepMs how long the other ranks have waited by then; 0 for a time so short that they have not gone to
     *     sleep
     */
    void revoke(int sleepMs, int repetitions) throws IOException, InterruptedException {
        long[] mine = new long[FIGURES];
        long[] all = new long[FIGURES * size];
        double[] number = new double[1];
        byte[] nothing = new byte[8];
        for (int i = 0; i < repetitions; i++) {
            Intracomm planA = world.dup();
            long reached = broadcast(sleepMs, nothing);
            world.barrier();
            if (me == 0) {
                letOthersWait(sleepMs);
                mine[0] = System.nanoTime();
                planA.revoke();
                mine[BY_ITSELF] = System.nanoTime() - mine[0];
            } else {
                try {
                    planA.recv(nothing, nothing.length, MPI.BYTE, 0, 0);
                    throw new IllegalStateException("a message came that no rank sends");
                } catch (RevokedException e) {
                    mine[0] = System.nanoTime();
                }
            }
            for (int k = 1; k <= 3; k++) {
                long started = System.nanoTime();
                world.allReduce(number, 1, MPI.DOUBLE, MPI.SUM);
                mine[k] = System.nanoTime() - started;
            }
            if (me != 0) {
                mine[BY_ITSELF] = furtherError(planA, nothing);
            }
            world.gather(mine, FIGURES, MPI.LONG, all, FIGURES, MPI.LONG, 0);
            planA.free();
            if (me == 0) {
                orders.answer(summary(all) + " " + reached);
            }
        }
    }

    /**
     * Measures a call on a communicator whose revocation is already known here. Returns the time until the call has
     * raised its error; throws if it raises none.
     */
    private static long furtherError(Intracomm revoked, byte[] nothing) {
        long started = System.nanoTime();
        try {
            revoked.recv(nothing, nothing.length, MPI.BYTE, 0, 0);
            throw new IllegalStateException("a call on a revoked communicator went well");
        } catch (RevokedException e) {
            return System.nanoTime() - started;
        }
    }

    /** Broadcasts once. Returns, at rank 0, the time until the last of the other ranks had the bytes. */
    private long broadcast(int sleepMs, byte[] bytes) throws InterruptedException {
        long[] at = new long[1];
        long[] last = new long[1];
        world.barrier();
        if (me == 0) {
            letOthersWait(sleepMs);
        }
        long started = System.nanoTime();
        world.bcast(bytes, bytes.length, MPI.BYTE, 0);
        at[0] = me == 0 ? 0 : System.nanoTime();
        world.reduce(at, last, 1, MPI.LONG, MPI.MAX, 0);
        return last[0] - started;
    }

    private static void letOthersWait(int sleepMs) throws InterruptedException {
        if (sleepMs > 0) {
            Thread.sleep(sleepMs);
            return;
        }
        long entered = System.nanoTime();
        while (System.nanoTime() - entered < POLLING_NS) {
            Thread.yield();
        }
    }

    /** Shrinks the world this many times while no process has failed. Rank 0 answers times of shrinks. */
    void shrinkUnharmed(int repetitions) throws IOException {
        answerShrinks(repetitions, world);
    }

    /** Fills this many megabytes of memory, answers that it is ready, and waits to be killed. */
    void die(int megabytes) throws IOException {
        // Arrays of 64 KiB leave few gaps in the heap.
        byte[][] heap = new byte[megabytes * 16][];
        for (int i = 0; i < heap.length; i++) {
            heap[i] = new byte[1 << 16];
        }
        orders.answer("ready " + me + " " + heap.length);
        orders.next();
    }

    /**
     * Answers that it is ready, waits in a barrier until a rank dies, answers with the time at which the error came,
     * and then shrinks the world {@code shrinks} times; rank 0 answers times of shrinks.
     */
    void survive(int shrinks) throws IOException {
        orders.answer("ready " + me);
        try {
            world.barrier();
            throw new IllegalStateException("the barrier ended although one does not come");
        } catch (ProcFailedException e) {
            orders.answer("error " + me + " " + System.nanoTime());
        }
        answerShrinks(shrinks, null);
    }

    /**
     * Shrinks the world {@code shrinks} times. Rank 0 answers the time of the first shrink and of the last 200 or
     * fewer. The time of a shrink is that from the call of the last rank to the return of the last rank, because a rank
     * that calls it earlier only waits for the others.
     *
     * @param meeting the communicator on which all ranks meet before each shrink; null for the one that the first
     *     shrink makes, so that they do not meet before that one
     */
    private void answerShrinks(int shrinks, Intracomm meeting) throws IOException {
        long[] took = new long[shrinks];
        Intracomm left = meeting;
        long[] moments = new long[2];
        for (int i = 0; i < shrinks; i++) {
            if (left != null) {
                left.barrier();
            }
            moments[0] = System.nanoTime();
            Intracomm shrunk = world.shrink();
            moments[1] = System.nanoTime();
            shrunk.allReduce(moments, 2, MPI.LONG, MPI.MAX);
            took[i] = moments[1] - moments[0];
            if (left == null) {
                left = shrunk;
            } else {
                shrunk.free();
            }
        }
        if (me == 0) {
            StringBuilder line = new StringBuilder("shrunk ").append(took[0]);
            for (int i = Math.max(1, shrinks - MOST_SHOWN); i < shrinks; i++) {
                line.append(' ').append(took[i]);
            }
            orders.answer(line.toString());
        }
    }

    private String summary(long[] all) {
        long first = Long.MAX_VALUE;
        long last = 0;
        long further = Long.MAX_VALUE;
        long[] collectives = new long[3];
        for (int rank = 0; rank < size; rank++) {
            if (rank > 0) {
                first = Math.min(first, all[rank * FIGURES] - all[0]);
                last = Math.max(last, all[rank * FIGURES] - all[0]);
                further = Math.min(further, all[rank * FIGURES + BY_ITSELF]);
            }
            for (int k = 0; k < 3; k++) {
                collectives[k] = Math.max(collectives[k], all[rank * FIGURES + 1 + k]);
            }
        }
        return "revoked " + first + " " + last + " " + collectives[0] + " " + collectives[1] + " " + collectives[2]
                + " " + all[BY_ITSELF] + " " + further;
    }
}
