package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Group;
import mpi.MPI;
import mpi.MPIException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Helpers that the programs of these tests share. */
final class Programs {
    /** The part of a program between Init and Finalize. */
    interface Body {
        void run(int rank) throws Exception;
    }

    private Programs() {}

    /** Returns a main that calls Init, runs the body and calls Finalize. */
    static RankMain program(Body body) {
        return () -> {
            MPI.Init(new String[0]);
            body.run(MPI.COMM_WORLD.getRank());
            MPI.Finalize();
        };
    }

    /** Runs a program at this many ranks, and requires that every rank that does not die ends it with success. */
    static LocalResult survivorsSucceed(int ranks, Body body) {
        return survivorsSucceed(LocalWorld.of(ranks), body);
    }

    static LocalResult survivorsSucceed(LocalWorld world, Body body) {
        return world.run(program(body)).requireSurvivorsSucceeded();
    }

    /** Kills the calling rank if the argument is true. */
    static void dieIf(boolean isMeant) {
        if (isMeant) {
            Faults.die();
        }
    }

    /** Returns a direct buffer with these values; blocking and non-blocking calls take it. */
    static IntBuffer ints(int... values) {
        return MPI.newIntBuffer(values.length).put(values).clear();
    }

    /** Waits until the caller knows that these members have failed. */
    static void awaitFailed(Comm comm, int... ranks) {
        for (int rank : ranks) {
            while (!isIn(failedRanks(comm), rank)) {
                Thread.yield();
            }
        }
    }

    static void awaitRevoked(Comm comm) {
        while (!comm.isRevoked()) {
            Thread.yield();
        }
    }

    static int[] failedRanks(Comm comm) {
        return ranks(comm.getFailed(), comm);
    }

    /**
     * Returns the ranks that the members of {@code group} have in {@code comm} (of an inter-communicator: in its local
     * group), in the order of {@code group}; {@code MPI.UNDEFINED} for one that has none.
     */
    static int[] ranks(Group group, Comm comm) {
        int[] own = new int[group.getSize()];
        for (int i = 0; i < own.length; i++) {
            own[i] = i;
        }
        return Group.translateRanks(group, own, comm.getGroup());
    }

    /** Returns the ranks that the members of a communicator (of its local group) have in COMM_WORLD. */
    static int[] slots(Comm comm) {
        return ranks(comm.getGroup(), MPI.COMM_WORLD);
    }

    /** Requires that a call throws an MPI exception of this error class, and returns the exception. */
    static MPIException raises(int errorClass, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        passOn(thrown);
        assertThat(thrown).isInstanceOf(MPIException.class);
        MPIException exception = (MPIException) thrown;
        assertThat(exception.getErrorClass()).as(exception.toString()).isEqualTo(errorClass);
        return exception;
    }

    /** Returns the error class of the MPI exception that a call throws; {@link MPI#SUCCESS} if it returns. */
    static int errorClass(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        passOn(thrown);
        if (thrown == null) {
            return MPI.SUCCESS;
        }
        assertThat(thrown).isInstanceOf(MPIException.class);
        return ((MPIException) thrown).getErrorClass();
    }

    /**
     * Throws {@code thrown} again if it is an Error: no helper may swallow the death of a rank or a failed assertion.
     */
    private static void passOn(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
    }

    private static boolean isIn(int[] ranks, int rank) {
        for (int one : ranks) {
            if (one == rank) {
                return true;
            }
        }
        return false;
    }
}
