package org.ulfmj.testkit;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import mpi.Comm;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.ulfmj.testkit.TableCase.Dead;
import org.ulfmj.testkit.TableCase.When;

/**
 * An operation of the table of errors, and the error classes that the table allows it in each case.
 *
 * @param begin what rank 0 calls first; it returns a Runnable that completes the operation
 * @param isRequest whether the operation is non-blocking, and so under way between begin and completion
 * @param comm makes the communicator of the operation from the world, before any failure or revocation
 * @param others the calls that make the operation complete: made by one other rank, or by all other live ranks if the
 *     operation is collective
 */
record TableRow<C extends Comm>(
        String name,
        Kind kind,
        boolean isRequest,
        Function<Intracomm, C> comm,
        Function<C, Runnable> begin,
        Consumer<C> others) {
    enum Kind {
        /** Waits for rank 1. */
        NAMED,
        /**
         * A send to rank 1 that may succeed although rank 1 dies or the communicator is revoked meanwhile, since its
         * message may have left before.
         */
        STORED,
        /**
         * A blocking receive or probe of a message from any member, or a non-blocking probe that is repeated until
         * there is one: an unacknowledged failure of any member makes it raise PROC_FAILED.
         */
        WILDCARD,
        /**
         * A non-blocking receive of a message from any member: an unacknowledged failure holds it up
         * (PROC_FAILED_PENDING) and does not end it.
         */
        WILDCARD_REQUEST,
        /** Needs all members. */
        COLLECTIVE,
        /**
         * The creation of a communicator: is checked on entry as a collective is, and may complete without the other
         * members, since a new id needs no negotiation.
         */
        CREATION,
        /**
         * An agreement: raises PROC_FAILED if a member has not acknowledged a failure; a revocation does not affect it.
         */
        AGREEMENT,
        /** An operation that always succeeds: it works among the survivors, or needs nothing of other members. */
        UNDISTURBED
    }

    private static final int OK = MPI.SUCCESS;
    private static final int FAILED = MPI.ERR_PROC_FAILED;
    private static final int PENDING = MPI.ERR_PROC_FAILED_PENDING;
    private static final int REVOKED = MPI.ERR_REVOKED;

    static TableRow<Intracomm> blocking(String name, Kind kind, Consumer<Intracomm> call, Consumer<Intracomm> others) {
        return new TableRow<>(name, kind, false, Intracomm::dup, comm -> () -> call.accept(comm), others);
    }

    static TableRow<Intracomm> request(
            String name, Kind kind, Function<Intracomm, Runnable> begin, Consumer<Intracomm> others) {
        return new TableRow<>(name, kind, true, Intracomm::dup, begin, others);
    }

    /** A blocking collective of the inter-communicator of the even and the odd ranks. */
    static TableRow<Intercomm> between(String name, Consumer<Intercomm> call) {
        return new TableRow<>(
                name, Kind.COLLECTIVE, false, world -> Groups.evenAndOdd(), comm -> () -> call.accept(comm), call);
    }

    /** A non-blocking collective of the inter-communicator of the even and the odd ranks. */
    static TableRow<Intercomm> startedBetween(String name, Function<Intercomm, Request> call) {
        return new TableRow<>(
                name,
                Kind.COLLECTIVE,
                true,
                world -> Groups.evenAndOdd(),
                comm -> call.apply(comm)::waitFor,
                comm -> call.apply(comm).waitFor());
    }

    /** Returns the row of the same operation on a communicator that {@code maker} makes. */
    TableRow<C> on(Function<Intracomm, C> maker) {
        return new TableRow<>(name, kind, isRequest, maker, begin, others);
    }

    boolean isCollective() {
        return kind == Kind.COLLECTIVE || kind == Kind.CREATION || kind == Kind.AGREEMENT || kind == Kind.UNDISTURBED;
    }

    /**
     * Whether this operation is tested in a case. A collective is not tested with an acknowledged failure in the middle
     * of it: no failure is known before it begins, so there is nothing to acknowledge.
     */
    boolean has(TableCase each) {
        return !(isCollective() && each.isOf(When.DURING) && each.isAcked());
    }

    /**
     * Whether another member dies before the operation begins, which rank 0 acknowledges or not: so in cases of
     * point-to-point operations with a death in the middle of the operation.
     */
    boolean hasEarlierDeath(TableCase each) {
        return !isCollective() && each.isOf(When.DURING) && each.hasDeath();
    }

    Set<Integer> allowed(TableCase each) {
        return each.isOf(When.DURING) ? allowedInTheMiddle(each) : allowedAtOnce(each);
    }

    /**
     * Returns the allowed error classes when rank 0 calls the operation after the death and the revocation, and knows
     * of them.
     */
    private Set<Integer> allowedAtOnce(TableCase each) {
        if (kind == Kind.UNDISTURBED) {
            return Set.of(OK);
        }
        if (kind == Kind.AGREEMENT) {
            return Set.of(each.hasDeath() && !each.isAcked() ? FAILED : OK);
        }
        if (each.isRevoked()) {
            return Set.of(REVOKED);
        }
        return Set.of(
                switch (kind) {
                    case NAMED, STORED -> each.dead() == Dead.PEER ? FAILED : OK;
                    case WILDCARD -> each.isAcked() ? OK : FAILED;
                    case WILDCARD_REQUEST -> each.isAcked() ? OK : PENDING;
                    default -> FAILED;
                });
    }

    private Set<Integer> allowedInTheMiddle(TableCase each) {
        Set<Integer> allowed = new LinkedHashSet<>();
        if (kind == Kind.UNDISTURBED || kind == Kind.AGREEMENT) {
            allowed.add(kind == Kind.AGREEMENT && each.hasDeath() ? FAILED : OK);
            return allowed;
        }
        boolean isTouched = each.dead() == Dead.PEER || each.hasDeath() && kind != Kind.NAMED && kind != Kind.STORED;
        if (isTouched) {
            allowed.add(kind == Kind.WILDCARD_REQUEST ? PENDING : FAILED);
        }
        if (each.isRevoked()) {
            allowed.add(REVOKED);
        }
        if (allowed.isEmpty() || kind == Kind.STORED || kind == Kind.CREATION) {
            allowed.add(OK);
        }
        return allowed;
    }

    @Override
    public String toString() {
        return name;
    }
}
