package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.COLLECTIVE;
import static org.ulfmj.testkit.invariant.Call.Kind.NAMED;

import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Resilient;
import mpi.RevokedException;

/**
 * A program of random steps, which are the same at all ranks: messages of several sizes, received by name or from any
 * source, collective operations with a known result, and communicators that are made and used. A rank that meets a
 * failure revokes; the survivors agree, shrink and go on.
 */
final class RandomProgram {
    private static final int STEPS = 6;

    private final long seed;
    private final boolean isByHand;
    private final Watch watch;
    private final int[] step = new int[1];

    /**
     * @param isByHand whether the program recovers by its own loop, as below, and not by {@link Resilient}. In its own
     *     loop each communicator that it makes has all members, so that a rank that waits on it learns of every death
     *     that matters
     */
    RandomProgram(long seed, boolean isByHand, Watch watch) {
        this.seed = seed;
        this.isByHand = isByHand;
        this.watch = watch;
    }

    void run() {
        MPI.Init(new String[0]);
        if (isByHand) {
            recoverByHand();
        } else {
            Resilient.run(MPI.COMM_WORLD, this::work);
        }
        MPI.Finalize();
    }

    private void recoverByHand() {
        Intracomm comm = MPI.COMM_WORLD;
        for (int number = 1; ; number++) {
            boolean mine = attempt(comm);
            boolean all = agreed(comm, mine);
            watch.attempt(number, mine, all);
            if (all) {
                return;
            }
            Intracomm old = comm;
            comm = watch.call("shrink", COLLECTIVE, old, -1, old::shrink);
        }
    }

    private boolean attempt(Intracomm comm) {
        try {
            work(comm);
            return true;
        } catch (MPIException failure) {
            comm.revoke();
            tryAgain(comm);
            return false;
        }
    }

    private void work(Intracomm comm) {
        watch.call("allReduce", COLLECTIVE, comm, -1, () -> comm.allReduce(step, 1, MPI.INT, MPI.MIN));
        while (step[0] < STEPS) {
            step(comm, step[0]);
            step[0]++;
        }
    }

    /**
     * Makes a call that would succeed at once if the communicator were not revoked, a send to PROC_NULL. If the call
     * does succeed, the invariants are told.
     */
    private void tryAgain(Intracomm comm) {
        try {
            watch.call("send", NAMED, comm, -1, () -> comm.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0));
        } catch (RevokedException asItShouldBe) {
            return;
        }
        watch.afterRevoking();
    }

    private void step(Intracomm comm, int number) {
        Random random = new Random(seed * 1_000_003 + number);
        switch (random.nextInt(8)) {
            case 0 -> new Exchange(watch, comm, number, random).withNeighbours();
            case 1 -> new Exchange(watch, comm, number, random).withAll();
            case 2 -> new Wildcards(watch, comm, number, random).received();
            case 3 -> new Wildcards(watch, comm, number, random).requested();
            case 4 -> new Shown(watch, comm, number).probedAndReceived();
            case 5 -> new KnownResults(watch, comm, number, random).anyCollective();
            case 6 -> revokedOnce(comm, random.nextInt(100) % comm.getSize());
            default -> new Creation(watch, comm, random.nextInt(3), isByHand ? 1 : 2).madeAndUsed();
        }
    }

    /**
     * One rank revokes COMM_WORLD without a failure while the others wait in a barrier. After a recovery, on a
     * communicator that shrink has made, it does nothing.
     */
    private void revokedOnce(Intracomm comm, int revoker) {
        if (comm != MPI.COMM_WORLD) {
            return;
        }
        if (comm.getRank() == revoker) {
            comm.revoke();
        } else {
            watch.call("barrier", COLLECTIVE, comm, -1, comm::barrier);
        }
    }

    private boolean agreed(Intracomm comm, boolean mine) {
        try {
            return watch.call("agree", COLLECTIVE, comm, -1, () -> comm.agree(mine ? 1 : 0)) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }
}
