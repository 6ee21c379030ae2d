package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** A communicator whose members talk to each other: the usual kind. See {@link Comm} for what all calls share. */
public class Intracomm extends Comm {
    /** The communicator; null for the null communicator, and where the state depends on the calling thread. */
    private final CommState made;
    /** The non-blocking call that makes this communicator; null if none does. */
    private final Making making;

    Intracomm(CommState made) {
        this(made, null);
    }

    private Intracomm(CommState made, Making making) {
        this.made = made;
        this.making = making;
    }

    /** The communicator that a call will have made when its request is complete. */
    static Intracomm of(Making making) {
        return new Intracomm(null, making);
    }

    @Override
    CommState lookUp(Rank rank) {
        return making == null ? made : making.state();
    }

    @Override
    final Request making() {
        return making == null ? null : making.request();
    }

    @Override
    final Intracomm wrap(CommState state) {
        return new Intracomm(state);
    }

    /** The one static object that is every rank's world. */
    static final class World extends Intracomm {
        World() {
            super(null);
        }

        @Override
        CommState lookUp(Rank rank) {
            return rank.world();
        }

        @Override
        boolean isOfAnyRank() {
            return true;
        }
    }

    /** The one static object that is every rank's own communicator. */
    static final class Self extends Intracomm {
        Self() {
            super(null);
        }

        @Override
        CommState lookUp(Rank rank) {
            return rank.self();
        }

        @Override
        boolean isOfAnyRank() {
            return true;
        }
    }

    @Override
    public Intracomm dup() {
        return (Intracomm) super.dup();
    }

    @Override
    public Intracomm iDup() {
        CommState state = enter("iDup");
        try {
            return Intracomm.of(new Making(this, state, state.communicator().startDup()));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    @Override
    public Intracomm clone() {
        return dup();
    }

    @Override
    public Intracomm shrink() {
        return (Intracomm) super.shrink();
    }

    /**
     * As {@link #shrink} without waiting: {@link #getRequest} of the result is the request, and only when that is
     * complete may the result be used; before, it is null. All live members must call {@code iShrink}.
     *
     * <p>{@code MPIX_Comm_ishrink}, User-Level Failure Mitigation.
     */
    public final Intracomm iShrink() {
        CommState state = enter("iShrink");
        try {
            return Intracomm.of(new Making(this, state, state.communicator().startShrink()));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The world again with all its members: new processes take the places of those that failed, with the same ranks,
     * and all other members keep their ranks. All live members of the world must call it, and no other rank; it works
     * on a revoked communicator, which is its usual use. It waits until the new processes are there, which
     * {@code mpiexec --max-restarts} starts, for {@code ulfm.replace.timeout} at most; no rank waits for a process that
     * will not come.
     *
     * <p>The new processes begin in {@code main}; they come out of {@link MPI#Init} with {@link MPI#isReplacement} true
     * when the other members come out of this call. For all of them {@link MPI#COMM_WORLD} is the repaired world from
     * then on, in which nothing is under way and no collective call has been made. Groups and other communicators that
     * a dead process was in still have the dead process, not the new one: the program frees them, and makes them anew
     * from the world.
     *
     * <p>A process that dies meanwhile is replaced too, or is in the world as a dead member: then the next call raises
     * {@link ProcFailedException}, and the program calls {@code replace} again.
     *
     * @return {@link MPI#COMM_WORLD}
     * @throws MPIException of class {@code ERR_SPAWN}, at every member alike, if a process was not replaced, with the
     *     reason; nothing has changed then, and {@link #shrink} works. The class is {@code ERR_COMM} if this
     *     communicator does not have all members of the world as it is now: call it on {@link MPI#COMM_WORLD}. It is
     *     {@code ERR_ARG} if other members are in another recovery call, and {@code ERR_UNSUPPORTED_OPERATION} without
     *     fault tolerance
     */
    public final Intracomm replace() {
        CommState state = enter("replace");
        try {
            state.communicator().replace();
            return MPI.COMM_WORLD;
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Divides the members: a new communicator for each colour, ranked by key and, where keys are equal, by rank here.
     * Collective.
     *
     * <p>{@code MPI_Comm_split}, MPI 3.1 section 6.4.2.
     *
     * @param colour from 0, or {@link MPI#UNDEFINED} to be in none
     * @param key any number
     * @return the caller's new communicator, for which {@link #isNull} is true where the colour is
     *     {@link MPI#UNDEFINED}
     */
    public final Intracomm split(int colour, int key) {
        CommState state = enter("split");
        try {
            Arguments.colour(state, colour);
            return orNull(state, state.communicator().split(colour, key));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Makes a communicator of some of the members, in the group's order. Collective over all members of this one. The
     * members of a group must all give that same group; groups that have no member in common may be given in one call,
     * and each becomes a communicator. A rank that is to be in none gives a group without itself, for example
     * {@link MPI#GROUP_EMPTY}.
     *
     * <p>{@code MPI_Comm_create}, MPI 3.1 section 6.4.2.
     *
     * @return the new communicator, for which {@link #isNull} is true at ranks outside of the group that they gave
     */
    public final Intracomm create(Group group) {
        CommState state = enter("create");
        try {
            return orNull(state, state.communicator().create(ranks(state, "create", group)));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * As {@link #create}, but collective over the members of the group only; others need not call it, and may have
     * failed.
     *
     * <p>{@code MPI_Comm_create_group}, MPI 3.1 section 6.4.2.
     *
     * @param tag from 0; tells calls for the same group apart that threads make at the same time
     */
    public final Intracomm createGroup(Group group, int tag) {
        CommState state = enter("createGroup");
        try {
            Arguments.sendTag(state, "createGroup", "tag", tag);
            int[] ranks = ranks(state, "createGroup", group);
            return group.members().contains(state.rank().runtime().id())
                    ? orNull(state, state.communicator().createGroup(ranks, tag))
                    : new Intracomm(null);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Combines {@code count} items of each rank. Rank r gets the combined items of ranks 0 to r. Collective.
     *
     * <p>{@code MPI_Scan}, MPI 3.1 section 5.11.1.
     */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        ReductionCalls.scan(this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * As {@link #scan(Object, Object, int, Datatype, Op)} with one buffer, which is replaced by the result.
     *
     * <p>{@code MPI_Scan}, MPI 3.1 section 5.11.1.
     */
    public final void scan(Object buf, int count, Datatype type, Op op) {
        ReductionCalls.scan(this, Reductions.IN_PLACE, buf, count, type, op);
    }

    /**
     * Combines {@code count} items of each rank. Rank r gets the combined items of ranks 0 to r − 1; the receive buffer
     * of rank 0 stays as it is. Collective.
     *
     * <p>{@code MPI_Exscan}, MPI 3.1 section 5.11.2.
     */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        ReductionCalls.exScan(this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * As {@link #exScan(Object, Object, int, Datatype, Op)} with one buffer, which is replaced by the result, except at
     * rank 0.
     *
     * <p>{@code MPI_Exscan}, MPI 3.1 section 5.11.2.
     */
    public final void exScan(Object buf, int count, Datatype type, Op op) {
        ReductionCalls.exScan(this, Reductions.IN_PLACE, buf, count, type, op);
    }

    private Intracomm orNull(CommState state, Communicator created) {
        return new Intracomm(created == null ? null : state.child(created));
    }

    /** The ranks that a group's processes have in a communicator. Throws if one of them is no member. */
    private static int[] ranks(CommState state, String operation, Group group) {
        if (group == null || group.isNull()) {
            throw state.bad(ErrorClass.GROUP, operation, group == null ? "group is null" : "group was freed");
        }
        int[] ranks = group.members().ranksIn(state.communicator());
        for (int rank = 0; rank < ranks.length; rank++) {
            if (ranks[rank] == MPI.UNDEFINED) {
                throw state.bad(
                        ErrorClass.GROUP,
                        operation,
                        "rank " + rank + " of group (process " + group.members().get(rank)
                                + ") is no member; allowed: members of the communicator");
            }
        }
        return ranks;
    }
}
