package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs a piece of work to its end with whoever is left: the retry loop of a program that survives. When a process dies the
 * others revoke the communicator, so that nobody waits in vain, agree that they are not done, shrink the communicator to
 * the survivors, bring themselves to a common state, and work again.
 *
 * <pre>{@code
 * int[] heads = new int[1];
 * Intracomm left = Resilient.run(MPI.COMM_WORLD, comm -> {
 *     heads[0] = 1;
 *     comm.allReduce(heads, 1, MPI.INT, MPI.SUM);
 * });
 * System.out.println("rank " + left.getRank() + ": " + heads[0] + " of us");
 * }</pre>
 *
 * Work of many steps goes on from a state that all survivors can return to. Where each rank keeps a copy of its last steps:
 *
 * <pre>{@code
 * Intracomm left = Resilient.run(MPI.COMM_WORLD, new Resilient.Loop() {
 *     public void restore(Intracomm comm, Resilient.Recovery recovery) {
 *         int[] common = {step};
 *         comm.allReduce(common, 1, MPI.INT, MPI.MIN);   // the last step that everybody has completed
 *         goBackTo(common[0]);
 *     }
 *     public void work(Intracomm comm) {
 *         while (step < steps) { doStep(comm); step++; }
 *     }
 * });
 * }</pre>
 *
 * <p><b>What is guaranteed.</b> {@code run} returns at all members of the communicator that it returns, or at none: each of
 * them came to the end of {@code work} on it, and no member was known to have failed when they agreed on that. So nobody
 * leaves while another one still needs it to recover. A member that dies later, or was excluded because it was silent for
 * too long, is a failure for the calls that follow.
 *
 * <p><b>What it costs.</b> One {@link Comm#agree(int) agreement} at the end of the work, and two for each recovery: that
 * the work is not done, and the shrink. The work itself runs as fast as without.
 *
 * <p><b>What is caught.</b> Failures and revocations only: {@link ProcFailedException},
 * {@link ProcFailedPendingException}, {@link RevokedException}, and the exception of a call that completes several requests
 * if each error in it is one of these. A death during a recovery begins another recovery. All else goes through at once:
 * exceptions of the program, bad arguments, the diagnosis that ranks called different recovery operations. Since the
 * others cannot know of it, they wait until this rank has ended, and then go on without it. Where the communicator's
 * {@link Errhandler} ends the job, a failure ends the job.
 *
 * <p>Other communicators that {@code work} waits in must be made from the one it is given, anew each time. While
 * {@code run} is in progress they are revoked with it, so that no rank goes on waiting in one of them for a rank that
 * recovers, or that failed to make it.
 */
public final class Resilient {
    private static final String OPERATION = "Resilient.run";

    private final Intracomm world;
    private final Loop loop;
    /** What failed in earlier attempts. Whoever fails there again does not use what it is given, and would do so for ever. */
    private final List<Comm> givenUp = new ArrayList<>();

    private Intracomm comm;

    private Resilient(Intracomm world, Loop loop) {
        this.world = world;
        this.comm = world;
        this.loop = loop;
    }

    /** What a program gives to {@link Resilient#run}. Called by the thread that called it. */
    @FunctionalInterface
    public interface Loop {
        /**
         * Works from the state at hand to the end. Begins anew after each failure, so it must be right to call it again,
         * also when it had come to its end already: another rank may not have.
         *
         * @param comm the members that are left, in their old order; all calls are to go to this one
         */
        void work(Intracomm comm);

        /**
         * Brings the survivors to a common state, after a failure and before the next {@link #work}. Ranks may have stopped
         * a step apart, and buffers of calls that failed hold anything. Does nothing unless overridden.
         *
         * @param comm the members that are left, in their old order; another may fail meanwhile, which begins a new
         *     recovery
         */
        default void restore(Intracomm comm, Recovery recovery) {}
    }

    /** A failure, and how the survivors got over it. Immutable. */
    public static final class Recovery {
        private final Group failed;
        private final MPIException cause;
        private final long noticedNs;
        private final long revokedNs;
        private final long shrunkNs;

        private Recovery(Group failed, MPIException cause, long noticedNs, long revokedNs, long shrunkNs) {
            this.failed = failed;
            this.cause = cause;
            this.noticedNs = noticedNs;
            this.revokedNs = revokedNs;
            this.shrunkNs = shrunkNs;
        }

        /**
         * The members that were left behind: the same at every survivor, in their old order. Empty if the program itself
         * revoked the communicator.
         */
        public Group getFailed() {
            return failed;
        }

        /** What ended the work here; null if this rank had come to its end, and another had not. */
        public MPIException getCause() {
            return cause;
        }

        /** When this rank knew that it had to recover; by {@link System#nanoTime()}, in a simulated world by its time. */
        public long getNoticedNs() {
            return noticedNs;
        }

        /**
         * When it had revoked the communicator (at once if there was no need to); by {@link System#nanoTime()}, in a simulated
         * world by its time.
         */
        public long getRevokedNs() {
            return revokedNs;
        }

        /** When it had the communicator of the survivors; by {@link System#nanoTime()}, in a simulated world by its time. */
        public long getShrunkNs() {
            return shrunkNs;
        }
    }

    /**
     * Calls {@code loop.work} until it has come to its end at every survivor. Collective over all members of {@code world}.
     *
     * @return the communicator that the work was completed on: {@code world} itself if nobody died, else one that the caller
     *     may free
     * @throws MPIException of class {@code ERR_COMM} or {@code ERR_ARG} if an argument is null; of class {@code ERR_COMM}
     *     if the loop goes on using a communicator that was given up after a failure, for instance
     *     {@link MPI#COMM_WORLD} instead of the one it is given; and whatever goes through, see above
     */
    public static Intracomm run(Intracomm world, Loop loop) {
        if (world == null) {
            throw Exceptions.withoutCommunicator(OPERATION, MPI.ERR_COMM, "world is null");
        }
        if (loop == null) {
            throw Exceptions.withoutCommunicator(OPERATION, MPI.ERR_ARG, "loop is null");
        }
        return new Resilient(world, loop).run();
    }

    private Intracomm run() {
        boolean didBefore = world.revokeOffspring(OPERATION, true);
        try {
            return runToTheEnd();
        } finally {
            if (!comm.isNull()) {
                comm.revokeOffspring(OPERATION, comm == world && didBefore);
            }
        }
    }

    private Intracomm runToTheEnd() {
        Recovery recovery = null;
        while (true) {
            MPIException failure = attempt(recovery);
            long noticedNs = nowNs();
            if (failure != null) {
                revoke(failure);
            }
            long revokedNs = nowNs();
            // Always the same two calls, whatever happened here: agree at one rank and shrink at another would never
            // meet.
            ProcFailedException death = null;
            boolean isDone = false;
            try {
                isDone = comm.agree(failure == null ? 1 : 0) == 1;
            } catch (ProcFailedException raisedAtAllAlike) {
                // Perhaps all who are left are done, but what the dead one held may be gone: the program has to look.
                death = raisedAtAllAlike;
            }
            if (isDone) {
                return comm;
            }
            if (failure == null) {
                noticedNs = nowNs();
                revokedNs = noticedNs;
            }
            recovery = shrink(failure == null ? death : failure, noticedNs, revokedNs);
        }
    }

    /** Works, after a recovery; gives back the failure that ended it, or null. */
    private MPIException attempt(Recovery recovery) {
        try {
            if (recovery != null) {
                loop.restore(comm, recovery);
            }
            loop.work(comm);
            return null;
        } catch (MPIException e) {
            if (!isFailure(e)) {
                throw e;
            }
            if (givenUp.contains(e.getComm())) {
                String advice =
                        "; this communicator was given up in an earlier attempt: use the one that work and restore"
                                + " are called with, and make others from it anew each time";
                throw new MPIException(
                        MPI.ERR_COMM,
                        OPERATION + ": " + e.getMessage() + advice,
                        e.getComm(),
                        e.getFailedRanks(),
                        0,
                        e);
            }
            return e;
        }
    }

    /** Frees everybody who waits in the communicator or in one made from it, and in the one that the call was on. */
    private void revoke(MPIException failure) {
        comm.revoke();
        Comm other = failure.getComm();
        if (other != null && other != comm && !other.isNull()) {
            other.revoke();
            givenUp.add(other);
        }
    }

    private Recovery shrink(MPIException cause, long noticedNs, long revokedNs) {
        Intracomm old = comm;
        comm = old.shrink();
        comm.revokeOffspring(OPERATION, true);
        long shrunkNs = nowNs();
        Group failed = Group.difference(old.getGroup(), comm.getGroup());
        if (old == world) {
            givenUp.add(world);
        } else {
            old.free();
        }
        return new Recovery(failed, cause, noticedNs, revokedNs, shrunkNs);
    }

    private static long nowNs() {
        return Ranks.current(OPERATION).runtime().programTimeNs();
    }

    private static boolean isFailure(MPIException e) {
        if (e.getErrorClass() != MPI.ERR_IN_STATUS) {
            return isFailure(e.getErrorClass());
        }
        for (Status status : e.getStatuses()) {
            int error = status.getError();
            if (error != MPI.SUCCESS && error != MPI.ERR_PENDING && !isFailure(error)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFailure(int errorClass) {
        return errorClass == MPI.ERR_PROC_FAILED
                || errorClass == MPI.ERR_PROC_FAILED_PENDING
                || errorClass == MPI.ERR_REVOKED;
    }
}
