package mpi;

import java.nio.Buffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** A communicator whose members talk to each other: the usual kind. See {@link Comm} for what all calls share. */
public class Intracomm extends Comm {
    /**
     * The state of the communicator; null for the null communicator, for COMM_WORLD and COMM_SELF, whose state depends
     * on the calling thread, and where a non-blocking call makes the communicator.
     */
    private final CommState made;
    /** The non-blocking call that makes this communicator; null if none does. */
    private final Making making;

    Intracomm(CommState made) {
        this(made, null);
    }

    Intracomm(CommState made, Making making) {
        this.made = made;
        this.making = making;
    }

    /** Returns the communicator object of a non-blocking call; it can be used when the call's request is complete. */
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
        return state.topology() == null
                ? new Intracomm(state)
                : state.topology().communicator(state);
    }

    /**
     * The class of {@link MPI#COMM_WORLD}: one static object, which stands for the world of the calling thread's rank.
     */
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

    /** The class of {@link MPI#COMM_SELF}: one static object, which stands for the calling thread's rank alone. */
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
    public Intracomm dupWithInfo(Info info) {
        return (Intracomm) super.dupWithInfo(info);
    }

    @Override
    public Intracomm iDup() {
        return Intracomm.of(startDup());
    }

    /** Starts {@link #iDup}. */
    final Making startDup() {
        CommState state = enter("iDup");
        try {
            return Duplication.startDup(this, state);
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
            return Intracomm.of(
                    new Making(this, state, state.communicator().recovery().startShrink(), state::child));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The world again with all its members: new processes take the places of those that failed, with the same ranks,
     * and all other members keep their ranks. All live members of the world must call it, and no other rank; it works
     * on a revoked communicator, which is its usual use. It waits for the other members and, for
     * {@code ulfm.replace.timeout} at most, until the new processes are there, which {@code mpiexec --max-restarts}
     * starts.
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
     *     reason; nothing has changed then, and {@link #shrink} works. With {@code ulfm.replace.policy=shrink} the
     *     world goes on without that process instead. The class is also {@code ERR_SPAWN} if the world has too many
     *     addresses for one message. It is {@code ERR_COMM} if this communicator does not have all members of the world
     *     as it is now: call it on {@link MPI#COMM_WORLD}. It is {@code ERR_ARG} if other members are in another
     *     recovery call, {@code ERR_OTHER} while another thread of this rank is in {@code replace}, {@code grow} or
     *     {@code Finalize}, and {@code ERR_UNSUPPORTED_OPERATION} without fault tolerance
     */
    public final Intracomm replace() {
        CommState state = enter("replace");
        try {
            state.communicator().recovery().replace();
            return MPI.COMM_WORLD;
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * The world with the processes that wait to be in it ({@link MPI#numWaiting}) and without those that failed. All
     * live members of the world must call it, and no other rank; it works on a revoked communicator. It waits for the
     * other members only: which processes are let in is decided from what the members know by then.
     *
     * <p>Members that live keep their order, and new ones come behind them, in an order that is the same at all
     * members. The new processes begin in {@code main}; they come out of {@link MPI#Init} with {@link MPI#isNewcomer}
     * true when the other members come out of this call. For all of them {@link MPI#COMM_WORLD} is the grown world from
     * then on, in which nothing is under way and no collective call has been made; the members keep the name and the
     * attributes that they gave it. Requests on the world from before that are not over end with
     * {@link RevokedException}. Groups and other communicators stay as they were, with the dead and without the new
     * processes. If no process can be let in, no member has failed and the world is not revoked, nothing changes, and
     * {@link MPI#COMM_WORLD} is the one that it was. If the world is revoked, its members are in a new one.
     *
     * <p>A process that dies meanwhile is left out, or is in the world as a dead member: then the next call raises
     * {@link ProcFailedException}, and the next {@code grow} leaves it out. A world never becomes larger than its job
     * allows ({@code mpiexec -n MIN:MAX}); the processes beyond go on waiting. In a job whose dead are started again
     * ({@code --max-restarts}) a process that waits for the place of a dead one gets that place, as by
     * {@link #replace}; a place for which none waits yet is left out for good.
     *
     * @return {@link MPI#COMM_WORLD}
     * @throws MPIException of class {@code ERR_COMM} if this communicator does not have all members of the world as it
     *     is now: call it on {@link MPI#COMM_WORLD}. It is {@code ERR_ARG}, at every member alike, if other members are
     *     in another recovery call; {@code ERR_SPAWN}, at every member alike, if the world has too many addresses for
     *     one message; {@code ERR_OTHER} while another thread of this rank is in {@code replace}, {@code grow} or
     *     {@code Finalize}; and {@code ERR_UNSUPPORTED_OPERATION} without fault tolerance, and in a job whose recovery
     *     mode lets processes in by itself. Nothing has changed then
     */
    public final Intracomm grow() {
        CommState state = enter("grow");
        try {
            state.communicator().recovery().grow();
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
            return orNull(state, state.communicator().creation().split(colour, key));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Divides the members by what they share: a new communicator for those of each host, ranked by key and, where keys
     * are equal, by rank here. Collective.
     *
     * <p>{@code MPI_Comm_split_type}, MPI 3.1 section 6.4.2.
     *
     * @param splitType {@link #TYPE_SHARED}, or {@link MPI#UNDEFINED} to be in none
     * @param key any number
     * @param info hints, of which none has an effect; {@link MPI#INFO_NULL} for none
     * @return the caller's new communicator, for which {@link #isNull} is true where the type is {@link MPI#UNDEFINED}
     * @throws MPIException of class {@code ERR_ARG} for another type, {@code ERR_INFO} if {@code info} is null or freed
     */
    public final Intracomm splitType(int splitType, int key, Info info) {
        CommState state = enter("splitType");
        try {
            if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED) {
                throw state.bad(
                        ErrorClass.ARG,
                        "splitType",
                        "splitType is " + splitType + "; allowed: Comm.TYPE_SHARED (" + TYPE_SHARED
                                + ") or MPI.UNDEFINED");
            }
            Arguments.hints(state, "splitType", info);
            return orNull(state, state.communicator().creation().splitByHost(splitType == TYPE_SHARED, key));
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
            return orNull(state, state.communicator().creation().create(ranks(state, "create", group)));
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
                    ? orNull(state, state.communicator().creation().createGroup(ranks, tag))
                    : new Intracomm(null);
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Makes a communicator whose ranks form a Cartesian grid, numbered by rows: the last coordinate is the one that
     * changes from one rank to the next. Ranks that the grid has no place for are left out. Collective; sends no
     * message unless a hint asks for errors that are the same at all ranks.
     *
     * <p>{@code MPI_Cart_create}, MPI 3.1 section 7.5.1.
     *
     * @param dims the number of ranks along each dimension, from 1; without dimensions, the grid is one rank
     * @param periods for each dimension, whether its last rank has the first one as its neighbour
     * @param reorder whether ranks may have other numbers in the grid than here; they keep their order all the same
     * @return the new communicator, for which {@link #isNull} is true at ranks that are left out
     * @throws MPIException of class {@code ERR_DIMS} if a length is not positive, {@code ERR_ARG} if the grid needs
     *     more ranks than there are
     */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) {
        return TopologyCalls.createCart(this, dims, periods);
    }

    /**
     * Makes a communicator whose ranks are the nodes of a graph that each of them knows whole. Ranks that the graph has
     * no node for are left out. Collective; sends no message unless a hint asks for errors that are the same at all
     * ranks. Neighbour collectives need a graph with as many edges from one node to another as back.
     *
     * <p>{@code MPI_Graph_create}, MPI 3.1 section 7.5.3.
     *
     * @param index for each node, the number of edges of that node and of all before it
     * @param edges the neighbours of node 0, then those of node 1, and so on; a node may be its own neighbour, and one
     *     node several times
     * @param reorder whether ranks may have other numbers in the graph than here; they keep their order all the same
     * @return the new communicator, for which {@link #isNull} is true at ranks that are left out
     */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) {
        return TopologyCalls.createGraph(this, index, edges);
    }

    /**
     * Makes a communicator of all ranks with a graph of which each rank names some edges, which may be edges of any
     * ranks, and all ranks together name each edge once. Collective: the ranks tell each other their edges.
     *
     * <p>{@code MPI_Dist_graph_create}, MPI 3.1 section 7.5.4.
     *
     * @param sources the ranks of which this rank names edges that lead away from them
     * @param degrees for each source, how many
     * @param destinations where these edges lead, first those of the first source
     * @param weights for each edge, its weight, from 0; all ranks must give weights, or none
     * @param info hints, of which none is known; {@link MPI#INFO_NULL} for none
     * @param reorder whether ranks may have other numbers in the graph than here; they keep their order all the same
     */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder) {
        return TopologyCalls.createDistGraph(this, sources, degrees, destinations, weights, true, info);
    }

    /**
     * As {@link #createDistGraph(int[], int[], int[], int[], Info, boolean)}, without weights.
     *
     * <p>{@code MPI_Dist_graph_create}, MPI 3.1 section 7.5.4.
     */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder) {
        return TopologyCalls.createDistGraph(this, sources, degrees, destinations, null, false, info);
    }

    /**
     * Makes a communicator of all ranks with a graph of which each rank names its own edges: each edge is named at both
     * of its ends. Collective; sends no message unless a hint asks for errors that are the same at all ranks. Whether
     * the ranks agree on edges between different ranks is not checked: if they do not, a neighbour collective may wait
     * for a message that no rank sends.
     *
     * <p>{@code MPI_Dist_graph_create_adjacent}, MPI 3.1 section 7.5.4.
     *
     * @param sources the ranks from which edges lead to this one; {@link MPI#PROC_NULL} for a part of the receive
     *     buffer that stays as it is
     * @param sourceWeights the weights of these edges, from 0
     * @param destinations the ranks to which edges lead from this one, or {@link MPI#PROC_NULL}
     * @param destWeights the weights of these edges, from 0
     * @param info hints, of which none is known; {@link MPI#INFO_NULL} for none
     * @param reorder whether ranks may have other numbers in the graph than here; they keep their order all the same
     */
    public final GraphComm createDistGraphAdjacent(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder) {
        return TopologyCalls.createDistGraphAdjacent(
                this, sources, sourceWeights, destinations, destWeights, true, info);
    }

    /**
     * As {@link #createDistGraphAdjacent(int[], int[], int[], int[], Info, boolean)}, without weights.
     *
     * <p>{@code MPI_Dist_graph_create_adjacent}, MPI 3.1 section 7.5.4.
     */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info info, boolean reorder) {
        return TopologyCalls.createDistGraphAdjacent(this, sources, null, destinations, null, false, info);
    }

    /**
     * Combines {@code count} items of each rank. Rank r gets the combined items of ranks 0 to r. Collective.
     *
     * <p>{@code MPI_Scan}, MPI 3.1 section 5.11.1.
     */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        ReductionCalls.scan(CallForm.BLOCKING, this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * As {@link #scan(Object, Object, int, Datatype, Op)} with one buffer, which is replaced by the result.
     *
     * <p>{@code MPI_Scan}, MPI 3.1 section 5.11.1.
     */
    public final void scan(Object buf, int count, Datatype type, Op op) {
        ReductionCalls.scan(CallForm.BLOCKING, this, Reductions.IN_PLACE, buf, count, type, op);
    }

    /**
     * Combines {@code count} items of each rank. Rank r gets the combined items of ranks 0 to r − 1; the receive buffer
     * of rank 0 stays as it is. Collective.
     *
     * <p>{@code MPI_Exscan}, MPI 3.1 section 5.11.2.
     */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        ReductionCalls.exScan(CallForm.BLOCKING, this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * As {@link #exScan(Object, Object, int, Datatype, Op)} with one buffer, which is replaced by the result, except at
     * rank 0.
     *
     * <p>{@code MPI_Exscan}, MPI 3.1 section 5.11.2.
     */
    public final void exScan(Object buf, int count, Datatype type, Op op) {
        ReductionCalls.exScan(CallForm.BLOCKING, this, Reductions.IN_PLACE, buf, count, type, op);
    }

    /**
     * Starts {@link #scan(Object, Object, int, Datatype, Op)} and returns at once; collective. The request is complete
     * when the send buffer may be changed again and the receive buffer holds the result. See {@link Comm#iBarrier} for
     * what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iscan}, MPI 3.1 section 5.12.11.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses is null or of a kind that holds no items of the
     *     type, or read-only though it receives
     */
    public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        return ReductionCalls.scan(CallForm.STARTED, this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * Starts {@link #scan(Object, int, Datatype, Op)} and returns at once; collective. The request is complete when the
     * buffer holds the result. See {@link Comm#iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iscan}, MPI 3.1 section 5.12.11.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses is null or of a kind that holds no items of the
     *     type, or read-only though it receives
     */
    public final Request iScan(Buffer buf, int count, Datatype type, Op op) {
        return ReductionCalls.scan(CallForm.STARTED, this, Reductions.IN_PLACE, buf, count, type, op);
    }

    /**
     * Starts {@link #exScan(Object, Object, int, Datatype, Op)} and returns at once; collective. The request is
     * complete when the send buffer may be changed again and the receive buffer holds the result (at rank 0 it is not
     * changed). See {@link Comm#iBarrier} for what all non-blocking collectives have in common.
     *
     * <p>{@code MPI_Iexscan}, MPI 3.1 section 5.12.12.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses is null or of a kind that holds no items of the
     *     type, or read-only though it receives
     */
    public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        return ReductionCalls.exScan(CallForm.STARTED, this, sendbuf, recvbuf, count, type, op);
    }

    /**
     * Starts {@link #exScan(Object, int, Datatype, Op)} and returns at once; collective. The request is complete when
     * the buffer holds the result (at rank 0 it is not changed). See {@link Comm#iBarrier} for what all non-blocking
     * collectives have in common.
     *
     * <p>{@code MPI_Iexscan}, MPI 3.1 section 5.12.12.
     *
     * @throws IllegalArgumentException if a buffer that this rank uses is null or of a kind that holds no items of the
     *     type, or read-only though it receives
     */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) {
        return ReductionCalls.exScan(CallForm.STARTED, this, Reductions.IN_PLACE, buf, count, type, op);
    }

    private Intracomm orNull(CommState state, Communicator created) {
        return new Intracomm(created == null ? null : state.child(created));
    }

    /**
     * The ranks in a communicator of a group's processes. Throws if the group is null or was freed, or if one of the
     * processes is no member of the communicator.
     */
    private static int[] ranks(CommState state, String operation, Group group) {
        if (group == null || group.isNull()) {
            throw state.bad(
                    ErrorClass.GROUP,
                    operation,
                    "group " + (group == null ? "is null" : "was freed") + "; allowed: a group that was not freed");
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
