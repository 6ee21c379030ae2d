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
 * @param begin what rank 0 does first; what it gives is run to complete the operation
 * @param isRequest whether the operation is under way between the two
 * @param comm makes the communicator of the operation from the world, before anything happens
 * @param others what makes it complete: done by the sender or receiver, or by all others if the operation is collective
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
        /** A message to rank 1 that may be on its way before anything happens. */
        STORED,
        /** Waits for a message of any member; raised at once by what does not wait for it. */
        WILDCARD,
        /** A request for a message of any member: held up by a failure, not ended. */
        WILDCARD_REQUEST,
        /** Needs all members. */
        COLLECTIVE,
        /**
         * Is checked on entry as a collective is, and may complete without the others: a new id needs no negotiation.
         */
        CREATION,
        /** Reports failures that a member has not acknowledged, and is not touched by revocation. */
        AGREEMENT,
        /** Works among those that are left, or needs nothing of the others. */
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

    /** The same operation on a communicator that is made in another way. */
    TableRow<C> on(Function<Intracomm, C> maker) {
        return new TableRow<>(name, kind, isRequest, maker, begin, others);
    }

    boolean isCollective() {
        return kind == Kind.COLLECTIVE || kind == Kind.CREATION || kind == Kind.AGREEMENT || kind == Kind.UNDISTURBED;
    }

    /**
     * Without failures that were known before, there is nothing to acknowledge before a failure that comes in the
     * middle.
     */
    boolean has(TableCase each) {
        return !(isCollective() && each.isOf(When.DURING) && each.isAcked());
    }

    /**
     * In the middle of messages there is a failure of another member before the operation, which is acknowledged or
     * not.
     */
    boolean hasEarlierDeath(TableCase each) {
        return !isCollective() && each.isOf(When.DURING) && each.hasDeath();
    }

    Set<Integer> allowed(TableCase each) {
        return each.isOf(When.DURING) ? allowedInTheMiddle(each) : allowedAtOnce(each);
    }

    /** The operation begins when all has happened and is known. */
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
