package org.ulfmj.launch.archive;

import java.nio.DoubleBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import org.ulfmj.agree.Rehearsal;
import org.ulfmj.rabit.RecoveryRehearsal;
import org.ulfmj.runtime.RankRehearsal;

/**
 * The program of the job from which the class data archive is made. The archive holds the classes that were loaded, so
 * the program does what programs commonly do, and what ranks do when a rank dies. Rank 2 of 3 is killed at iteration 1,
 * and a spare takes its place. The spare is killed at iteration 2, and the other ranks shrink.
 */
public final class Training {
    /** The fault plan that kills the highest rank and then its replacement, in the syntax of {@code --inject}. */
    static final String KILL = "kill:rank=2@iter=1; kill:rank=2,inc=1@iter=2";

    static final int RANKS = 3;
    static final int SPARES = 1;
    private static final int LARGE = 40_000;
    /**
     * Tag of the message by which a rank tells the highest rank that it has finished the operations before an
     * iteration.
     */
    private static final int THROUGH = 2;

    private Training() {}

    /** Must be started by {@code mpiexec}. */
    public static void main(String[] args) {
        MPI.Init(args);
        liveAndDie();
        MPI.Finalize();
    }

    /**
     * Does what programs commonly do. The launcher kills the highest rank at iteration 1, and a replacement takes its
     * place; the launcher kills that replacement at iteration 2, and the other ranks shrink. In a job of two ranks,
     * rank 0 alone is left in the end.
     */
    static void liveAndDie() {
        if (!MPI.isReplacement()) {
            rehearse();
            exchange(MPI.COMM_WORLD);
            combine(MPI.COMM_WORLD);
            beginIteration(1, MPI.COMM_WORLD);
            replace(MPI.COMM_WORLD);
        }
        combine(MPI.COMM_WORLD);
        beginIteration(2, MPI.COMM_WORLD);
        shrink(MPI.COMM_WORLD);
    }

    /**
     * Plays the rehearsals of failures ({@link Rehearsal}, {@link RankRehearsal}, {@link RecoveryRehearsal}), so that
     * their classes are loaded. Without this call, this short program might end before its ranks play the first two,
     * and would not play the third.
     */
    private static void rehearse() {
        Rehearsal.play(Rehearsal.WITHOUT_REST);
        RankRehearsal.play(Rehearsal.WITHOUT_REST);
        RecoveryRehearsal.play();
    }

    private static void exchange(Intracomm world) {
        int right = (world.getRank() + 1) % world.getSize();
        int left = (world.getRank() + world.getSize() - 1) % world.getSize();
        for (int count : new int[] {1, LARGE}) {
            double[] buffer = new double[count];
            world.sendRecvReplace(buffer, count, MPI.DOUBLE, right, 0, left, 0);
            Request receive = world.iRecv(DoubleBuffer.wrap(buffer), count, MPI.DOUBLE, left, 1);
            Request send = world.iSend(DoubleBuffer.wrap(new double[count]), count, MPI.DOUBLE, right, 1);
            Request.waitAll(new Request[] {receive, send});
        }
    }

    private static void combine(Intracomm comm) {
        double[] value = {comm.getRank()};
        comm.barrier();
        comm.bcast(value, 1, MPI.DOUBLE, 0);
        comm.allReduce(value, 1, MPI.DOUBLE, MPI.SUM);
        comm.reduce(value, 1, MPI.DOUBLE, MPI.MAX, 0);
        comm.allGather(value, 1, MPI.DOUBLE, new double[comm.getSize()], 1, MPI.DOUBLE);
        comm.dup().free();
    }

    /**
     * Begins an iteration, at which the launcher may kill the last rank. The last rank first waits for a message from
     * each other rank, by which the sender says that it has finished the operations before the iteration: a rank that
     * is still in a collective operation when a member dies, or enters it later, may fail in it, even if other ranks
     * have its result.
     */
    private static void beginIteration(int number, Intracomm world) {
        byte[] word = new byte[1];
        int last = world.getSize() - 1;
        if (world.getRank() == last) {
            for (int other = 0; other < last; other++) {
                world.recv(word, 1, MPI.BYTE, other, THROUGH);
            }
        } else {
            world.send(word, 1, MPI.BYTE, last, THROUGH);
        }
        MPI.pControl(number, null);
    }

    private static void replace(Intracomm world) {
        awaitDeath(world);
        world.revoke();
        world.replace();
    }

    private static void awaitDeath(Intracomm world) {
        try {
            world.recv(new byte[1], 1, MPI.BYTE, world.getSize() - 1, 0);
        } catch (ProcFailedException | RevokedException whicheverCameFirst) {
            world.ackFailed();
        }
    }

    private static void shrink(Intracomm world) {
        awaitDeath(world);
        world.revoke();
        try {
            world.barrier();
        } catch (MPIException expected) {
            agree(world);
        }
        Intracomm survivors = world.shrink();
        combine(survivors);
        if (world.getFailed().getSize() != 1) {
            throw new IllegalStateException("the highest rank is dead and not the only one");
        }
    }

    /**
     * Agrees once. A rank that learned of the revocation before it learned of the death has not acknowledged the death;
     * in that case the agreement raises an error at all ranks.
     */
    private static void agree(Intracomm world) {
        try {
            world.agree(1);
        } catch (ProcFailedException unacknowledged) {
            world.ackFailed();
        }
    }
}
