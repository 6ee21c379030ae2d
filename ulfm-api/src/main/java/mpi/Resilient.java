package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs a piece of work to its end with the ranks that are left: the retry loop of a program that survives. When a
 * process dies the others revoke the communicator, so that no rank waits in vain, agree that they are not done,
 * {@linkplain Intracomm#shrink shrink} the communicator to the survivors, have the dead {@linkplain Intracomm#replace
 * replaced} or let in the processes that {@linkplain Intracomm#grow wait}, bring themselves to a common state, and work
 * again.
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
 * Work of many steps goes on from a state that all survivors can return to. Where each rank keeps a copy of its last
 * steps:
 *
 * <pre>{@code
 * Intracomm left = Resilient.run(MPI.COMM_WORLD, new Resilient.Loop() {
 *     public void restore(Intracomm comm, Resilient.Recovery recovery) {
 *         int[] common = {step};
 *         comm.allReduce(common, 1, MPI.INT, MPI.MIN);   // the last step that every rank has completed
 *         goBackTo(common[0]);
 *     }
 *     public void work(Intracomm comm) {
 *         while (step < steps) { doStep(comm); step++; }
 *     }
 * });
 * }</pre>
 *
 * With {@link Policy#REPLACE} the world keeps its size, and processes that took the place of dead ones come in: they
 * begin in {@code main} as all do, and their first call of {@code run} goes to {@code restore} at once, where the
 * others are. So a program calls nothing on COMM_WORLD before {@code run}, and hands out its state there:
 *
 * <pre>{@code
 * Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, new Resilient.Loop() {
 *     public void restore(Intracomm comm, Resilient.Recovery recovery) {
 *         int[] best = {recovery.isNewcomer() ? -1 : step};
 *         comm.allReduce(best, 1, MPI.INT, MPI.MAX);
 *         takeOver(comm, best[0]);                       // from a rank that has completed this step
 *     }
 *     public void work(Intracomm comm) {
 *         while (step < steps) { doStep(comm); step++; }
 *     }
 * });
 * }</pre>
 *
 * With {@link Policy#ELASTIC} the world is without the dead after each recovery, and with the processes that have
 * joined meanwhile, which come in as with {@link Policy#REPLACE}. A rank that wants them in although no process has
 * failed revokes the communicator, and all come to a recovery:
 *
 * <pre>{@code
 * public void work(Intracomm comm) {
 *     while (step < steps) {
 *         if (MPI.numWaiting() > 0) comm.revoke();       // the next call on it raises RevokedException
 *         doStep(comm);
 *         step++;
 *     }
 * }
 * }</pre>
 *
 * <p><b>What is guaranteed.</b> {@code run} returns at all members of the communicator that it returns, or at none:
 * each of them came to the end of {@code work} on it, and no member was known to have failed when they agreed on that.
 * So no rank leaves while another one still needs it to recover. A member that dies later, or was excluded because it
 * was silent for too long, is a failure for the calls that follow.
 *
 * <p><b>What it costs.</b> One {@link Comm#agree(int) agreement} at the end of the work, and for each recovery one that
 * the work is not done, and the call that makes the communicator to go on with: {@link Intracomm#shrink},
 * {@link Intracomm#replace} or {@link Intracomm#grow}.
 *
 * <p><b>What is caught.</b> Failures and revocations only: {@link ProcFailedException},
 * {@link ProcFailedPendingException}, {@link RevokedException}, and the exception of a call that completes several
 * requests if each error in it is one of these. A failure in {@code restore} begins another recovery. All else goes
 * through at once: exceptions of the program, bad arguments, the diagnosis that ranks called different recovery
 * operations. Since the others cannot know of it, they wait until this rank has ended, and then go on without it. Where
 * the communicator's {@link Errhandler} ends the job, a failure ends the job.
 *
 * <p>Other communicators that {@code work} waits in must be made from the one it is given, anew each time. While
 * {@code run} is in progress they are revoked with it, except for those that {@code shrink} made, so that no rank goes
 * on waiting in one of them for a rank that recovers, or that failed to make it.
 */
public final class Resilient {
    private static final String OPERATION = "Resilient.run";

    private final Intracomm world;
    private final Policy policy;
    private final Loop loop;
    /**
     * The communicators that earlier attempts gave up after failures: the world that was given to {@code run}, once
     * another communicator takes its place, and other communicators on which a call failed. A program that fails on one
     * of them again does not use the communicator that it is given, and would fail for ever.
     */
    private final List<Comm> givenUp = new ArrayList<>();

    private Intracomm comm;
    /**
     * Whether this process came into a running world, and no {@link Loop#restore} has completed here since. Always
     * false with {@link Policy#SHRINK}.
     */
    private boolean isNewcomer;

    private Resilient(Intracomm world, Policy policy, Loop loop) {
        this.world = world;
        this.policy = policy;
        this.comm = world;
        this.loop = loop;
    }

    /**
     * How the world goes on: what happens to the place of a process that died, and to processes that wait to be in the
     * world.
     */
    public enum Policy {
        /** The other processes go on without the dead one: {@link Intracomm#shrink}. */
        SHRINK,
        /**
         * A new process takes the place: {@link Intracomm#replace}. If none can be had, {@code run} throws what
         * {@code replace} throws, of class {@code ERR_SPAWN}, at all members; with {@code ulfm.replace.policy=shrink}
         * the other processes go on without the dead one.
         */
        REPLACE,
        /**
         * The other processes go on without the dead one, and with the processes that wait to be in the world, as many
         * as it may have: {@link Intracomm#grow}. Where no process can join it is {@link #SHRINK}, with COMM_WORLD in
         * place of a new communicator.
         */
        ELASTIC
    }

    /**
     * The work that a program gives to {@link Resilient#run}. Its methods are called by the thread that called
     * {@code run}.
     */
    @FunctionalInterface
    public interface Loop {
        /**
         * Works from the state at hand to the end. Begins anew after each failure, so it must be right to call it
         * again, also when it had come to its end already: another rank may not have.
         *
         * @param comm the members that are left, in their old order, with the new ones in the places of those that they
         *     replace, or behind all others; all calls are to go to this communicator
         */
        void work(Intracomm comm);

        /**
         * Brings all members to a common state, in each recovery before the next {@link #work}. Ranks may have stopped
         * a step apart, and buffers of calls that failed hold anything. A process that took a dead one's place, or that
         * was let in, begins here: it has no state yet. Does nothing unless overridden.
         *
         * @param comm as in {@link #work}; another member may fail meanwhile, which begins a new recovery
         */
        default void restore(Intracomm comm, Recovery recovery) {}
    }

    /** A recovery: which processes had failed, what ended the work here, and when the steps were done. Immutable. */
    public static final class Recovery {
        private final Group failed;
        private final MPIException cause;
        private final long noticedNs;
        private final long revokedNs;
        private final long shrunkNs;
        private final boolean isNewcomer;

        private Recovery(
                Group failed, MPIException cause, long noticedNs, long revokedNs, long shrunkNs, boolean isNewcomer) {
            this.failed = failed;
            this.cause = cause;
            this.noticedNs = noticedNs;
            this.revokedNs = revokedNs;
            this.shrunkNs = shrunkNs;
            this.isNewcomer = isNewcomer;
        }

        /**
         * Whether this process took the place of a dead one, or was let into the world, and no {@link Loop#restore} has
         * come to its end here since: it has nothing to restore from. True at all members if all of the world had died.
         */
        public boolean isNewcomer() {
            return isNewcomer;
        }

        /**
         * Returns the processes that failed: the same at every survivor, in their old order. Empty if none failed, as
         * when only the program revoked the communicator, and at a newcomer that has just come, which does not know.
         */
        public Group getFailed() {
            return failed;
        }

        /**
         * Returns the error that ended the work at this rank or, if this rank had come to the end of the work, the
         * failure that was raised when the ranks agreed whether they are done. Null if there was neither, and at a
         * newcomer that has just come.
         */
        public MPIException getCause() {
            return cause;
        }

        /**
         * When this rank knew that it had to recover; by {@link System#nanoTime()}, in a simulated world by the time of
         * that world.
         */
        public long getNoticedNs() {
            return noticedNs;
        }

        /**
         * When this rank had revoked the communicator; the time of {@link #getNoticedNs} if it did not have to. By
         * {@link System#nanoTime()}, in a simulated world by the time of that world.
         */
        public long getRevokedNs() {
            return revokedNs;
        }

        /**
         * When this rank had the communicator to go on with; by {@link System#nanoTime()}, in a simulated world by the
         * time of that world.
         */
        public long getShrunkNs() {
            return shrunkNs;
        }
    }

    /**
     * Calls {@code loop.work} until it has come to its end at every survivor, without the ranks that die. Collective
     * over all members of {@code world}.
     *
     * @return as {@link #run(Intracomm, Policy, Loop)}
     */
    public static Intracomm run(Intracomm world, Loop loop) {
        return run(world, Policy.SHRINK, loop);
    }

    /**
     * Calls {@code loop.work} until it has come to its end at every survivor and, with {@link Policy#REPLACE} and
     * {@link Policy#ELASTIC}, at every process that came in. Collective over all members of {@code world}.
     *
     * <p>Processes that come in find the loop by themselves: so a program with one of these policies has one such loop,
     * on COMM_WORLD, and comes to it without any other call on COMM_WORLD.
     *
     * @return the communicator that the work was completed on: {@code world} itself if there was no recovery, or if the
     *     policy is not {@link Policy#SHRINK}; else one that the caller may free
     * @throws MPIException of class {@code ERR_COMM} or {@code ERR_ARG} if an argument is null, or if the policy is not
     *     {@link Policy#SHRINK} and the communicator not {@link MPI#COMM_WORLD}; of class {@code ERR_SPAWN} if a rank
     *     cannot be replaced; of class {@code ERR_COMM} if the loop goes on using a communicator that was given up
     *     after a failure, for instance {@link MPI#COMM_WORLD} instead of the one it is given; and anything that goes
     *     through, see above
     */
    public static Intracomm run(Intracomm world, Policy policy, Loop loop) {
        if (world == null) {
            throw Exceptions.withoutCommunicator(OPERATION, MPI.ERR_COMM, "world is null; allowed: a communicator");
        }
        if (loop == null || policy == null) {
            throw Exceptions.withoutCommunicator(
                    OPERATION,
                    MPI.ERR_ARG,
                    loop == null ? "loop is null; allowed: a Loop" : "policy is null; allowed: a Policy");
        }
        if (policy != Policy.SHRINK && world != MPI.COMM_WORLD) {
            throw Exceptions.withoutCommunicator(
                    OPERATION,
                    MPI.ERR_COMM,
                    "with Policy." + policy + " world must be MPI.COMM_WORLD: processes that come in know no other");
        }
        return new Resilient(world, policy, loop).run();
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
        isNewcomer = hasJustCome();
        Recovery recovery = isNewcomer ? arrival() : null;
        while (true) {
            MPIException failure = attempt(recovery);
            long noticedNs = nowNs();
            if (failure != null) {
                revoke(failure);
            }
            long revokedNs = nowNs();
            // Every rank calls agree and, unless all are done, the recovery call of the policy, also if its attempt
            // failed. If one rank called agree while another one called shrink, they would wait for each other in vain.
            ProcFailedException death = null;
            boolean isDone = false;
            try {
                isDone = comm.agree(failure == null ? 1 : 0) == 1;
            } catch (ProcFailedException raisedAtAllAlike) {
                // Perhaps all ranks that are left have completed the work. But data of the dead rank may be lost, so
                // the program has to restore and work again.
                death = raisedAtAllAlike;
            }
            if (isDone) {
                return comm;
            }
            if (failure == null) {
                noticedNs = nowNs();
                revokedNs = noticedNs;
            }
            recovery = recover(failure == null ? death : failure, noticedNs, revokedNs);
        }
    }

    /**
     * Whether this process has just come into the world by {@code replace} or {@code grow}, so that the other ranks are
     * in {@link Loop#restore}.
     */
    private boolean hasJustCome() {
        return policy != Policy.SHRINK && Ranks.current(OPERATION).takeNewness();
    }

    private static Recovery arrival() {
        long now = nowNs();
        return new Recovery(MPI.GROUP_EMPTY, null, now, now, now, true);
    }

    /**
     * Makes one attempt: calls {@link Loop#restore} if there was a recovery, and then {@link Loop#work}. Returns the
     * failure that ended the attempt, or null.
     */
    private MPIException attempt(Recovery recovery) {
        try {
            if (recovery != null) {
                loop.restore(comm, recovery);
                isNewcomer = false;
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

    /**
     * Revokes the communicator of the attempt, and the one that the failed call was on, if that is another one. So no
     * rank waits in vain in one of the two, or in a communicator that was made from the first other than by
     * {@code shrink}.
     */
    private void revoke(MPIException failure) {
        comm.revoke();
        Comm other = failure.getComm();
        if (other != null && other != comm && !other.isNull()) {
            other.revoke();
            givenUp.add(other);
        }
    }

    private Recovery recover(MPIException cause, long noticedNs, long revokedNs) {
        Intracomm old = comm;
        Group before = old.getGroup();
        comm = withoutTheDead(old);
        comm.revokeOffspring(OPERATION, true);
        long shrunkNs = nowNs();
        Group failed = Group.difference(before, comm.getGroup());
        if (old == world && old != comm) {
            givenUp.add(world);
        } else if (old != comm) {
            old.free();
        }
        return new Recovery(failed, cause, noticedNs, revokedNs, shrunkNs, isNewcomer);
    }

    private Intracomm withoutTheDead(Intracomm old) {
        return switch (policy) {
            case SHRINK -> old.shrink();
            case REPLACE -> old.replace();
            case ELASTIC -> old.grow();
        };
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
