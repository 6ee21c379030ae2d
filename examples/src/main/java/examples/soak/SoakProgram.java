package examples.soak;

import examples.soak.RankStatus.Field;
import java.util.Arrays;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Status;

/**
 * The program of a rank of a soak between Init and Finalize: random steps, the same at all ranks, until all planned
 * deaths have come and the others have worked on for a while. After a failure in a step the rank revokes, agrees and
 * shrinks; after one that an agreement reports, it only shrinks.
 */
final class SoakProgram {
    /** The bit of an agreed value that stays set only if no rank in the agreement was stopped by a failure before. */
    private static final int FINE = 1 << 30;

    private final long seed;
    private final int finalSize;
    private final long lastSteps;
    private final RankStatus status;
    private final Scopes scopes;
    private final OpenInboxes inboxes = new OpenInboxes();
    private final MessageSteps messages;
    private final RequestSteps requests;
    private final CollectiveSteps collectives;
    private final ThreadSteps threads;

    /**
     * To be made after Init.
     *
     * @param seed the same at all ranks
     * @param deaths how many ranks die before the others may end
     * @param lastSteps how many steps follow after the last death
     */
    SoakProgram(long seed, int deaths, long lastSteps, RankStatus status) {
        this.seed = seed;
        this.finalSize = MPI.COMM_WORLD.getSize() - deaths;
        this.lastSteps = lastSteps;
        this.status = status;
        scopes = new Scopes(status, MPI.COMM_WORLD);
        messages = new MessageSteps(status, inboxes);
        requests = new RequestSteps(status, inboxes);
        collectives = new CollectiveSteps(status);
        threads = new ThreadSteps(messages::exchange);
    }

    /** Works, and shrinks after each failure. Returns when the work is done at all ranks that are left. */
    void run() {
        while (!isDoneEverywhere()) {
            status.enter(SoakCall.SHRINK);
            Intracomm survivors = scopes.base().comm.shrink();
            status.leave();
            scopes.replaceBy(survivors);
        }
        scopes.freeMade();
        inboxes.requireUnchanged();
    }

    /**
     * Works until the steps are done or a failure stops them. Returns whether they are done at all ranks, on which the
     * ranks agree.
     */
    private boolean isDoneEverywhere() {
        try {
            boolean isDone = work();
            return (agree(isDone ? FINE : 0) & FINE) != 0;
        } catch (AgreedFailure e) {
            return false;
        }
    }

    /** Runs the steps. Returns false if a failure, or the revocation by another rank, has stopped them. */
    private boolean work() throws AgreedFailure {
        try {
            confirm();
            long steps = scopes.base().size <= finalSize ? lastSteps : Long.MAX_VALUE;
            long seedOfGeneration = Mix.of(seed, scopes.generation());
            for (long number = 0; number < steps; number++) {
                status.set(Field.STEP, number);
                run(new Step(seedOfGeneration, number));
            }
            return true;
        } catch (MPIException e) {
            if (!isFailure(e)) {
                throw e;
            }
            noticed(e);
            scopes.revoke();
            requests.endAll();
            inboxes.seal();
            return false;
        }
    }

    /** Whether an exception reports a failed rank or a revoked communicator, and no other kind of error. */
    static boolean isFailure(MPIException e) {
        return switch (e.getErrorClass()) {
            case MPI.ERR_PROC_FAILED, MPI.ERR_PROC_FAILED_PENDING, MPI.ERR_REVOKED -> true;
            case MPI.ERR_IN_STATUS -> Arrays.stream(e.getStatuses()).allMatch(SoakProgram::isFailureOrNone);
            default -> false;
        };
    }

    private static boolean isFailureOrNone(Status status) {
        return switch (status.getError()) {
            case MPI.SUCCESS, MPI.ERR_PENDING, MPI.ERR_PROC_FAILED, MPI.ERR_PROC_FAILED_PENDING, MPI.ERR_REVOKED ->
                true;
            default -> false;
        };
    }

    /** Checks that the present communicator works, and that every rank on it is in the same generation. */
    private void confirm() {
        long generation = scopes.generation();
        long[] all = {generation, -generation};
        status.enter(SoakCall.ALL_REDUCE);
        scopes.base().comm.allReduce(all, all.length, MPI.LONG, MPI.MAX);
        status.leave();
        if (all[0] != generation || all[1] != -generation) {
            throw new WrongValueException("generation " + generation + " here, but from " + -all[1] + " to " + all[0]
                    + " elsewhere on the same communicator");
        }
        status.set(Field.GENERATION, generation);
        inboxes.requireUnchanged();
        if (generation > 0) {
            status.set(Field.RECOVERED_NS, System.nanoTime());
        }
    }

    private void run(Step step) throws AgreedFailure {
        int kind = step.draw(10);
        if (kind == 0) {
            scopes.change(step);
        } else if (kind == 1) {
            agreeOnBits(step);
        } else {
            Scope scope = scopes.draw(step);
            if (scope == null) {
                return;
            }
            if (kind == 2) {
                threads.run(scope, step);
            } else if (kind < 5) {
                requests.run(scope, step);
            } else if (kind < 7) {
                messages.run(scope, step);
            } else {
                collectives.run(scope, step);
            }
        }
    }

    /**
     * Agrees on bits, of which each rank lacks one that all others have. A rank that was stopped by a failure is
     * already in the last agreement of its generation, which is the same agreement as this one. So both ranks get the
     * same result, which tells that all must shrink.
     */
    private void agreeOnBits(Step step) throws AgreedFailure {
        Scope base = scopes.base();
        int everyones = (int) step.key(base, 0) & -(1 << base.size) | FINE;
        int others = (1 << base.size) - 1 & ~(1 << base.rank);
        int agreed = agree(everyones | others);
        if ((agreed & FINE) == 0) {
            throw new AgreedFailure();
        }
        if (agreed != everyones) {
            throw new WrongValueException("agreed on " + Integer.toHexString(agreed) + " instead of "
                    + Integer.toHexString(everyones) + " in " + step + " on " + base);
        }
        status.checked(1, Integer.BYTES);
    }

    /** Agrees with all other ranks. A failure is raised at all ranks or at none. */
    private int agree(int bits) throws AgreedFailure {
        Intracomm comm = scopes.base().comm;
        if ((bits & FINE) == 0 && Mix.of(seed, comm.getRank(), scopes.generation()) % 2 == 0) {
            status.enter(SoakCall.ACK_FAILED);
            comm.ackFailed();
            status.leave();
        }
        try {
            status.enter(SoakCall.AGREE);
            int agreed = comm.agree(bits);
            status.leave();
            return agreed;
        } catch (ProcFailedException e) {
            noticed(e);
            throw new AgreedFailure();
        }
    }

    private void noticed(MPIException e) {
        status.leave();
        if (status.get(Field.NOTICED_NS) == 0) {
            status.set(Field.NOTICED_NS, System.nanoTime());
        }
        Group failed = scopes.base().comm.getFailed();
        int[] ranks = new int[failed.getSize()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = i;
        }
        for (int slot : Group.translateRanks(failed, ranks, MPI.COMM_WORLD.getGroup())) {
            status.failed(slot);
        }
        if (e.getMessage() == null || e.getMessage().isBlank()) {
            throw new IllegalStateException("a failure without a message", e);
        }
    }

    /** Thrown when an agreement shows that a rank has failed, or was stopped by a failure. This rank then shrinks. */
    private static final class AgreedFailure extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
