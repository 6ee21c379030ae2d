package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * An inter-communicator: two groups of ranks without a common member, whose messages go from one group to the other
 * (MPI 3.1 section 6.6). Made by {@link Comm#createIntercomm}. The caller's own group is the local one.
 *
 * <p><b>Ranks.</b> {@link #getSize}, {@link #getRank} and {@link #getGroup} are of the local group. Where a call sends
 * or receives, a rank is one of the remote group, also in a {@link Status}.
 *
 * <p><b>Collectives</b> (MPI 3.1 section 5.2.2). All of {@link Comm}, blocking or not, in which each group gets the
 * data of the other one; ranks of both groups make the call. Part r of a buffer is of rank r of the other group, and
 * counts and displacements are one for each rank of the other group. Of {@link #reduceScatter reduceScatter} and
 * {@link #reduceScatterBlock reduceScatterBlock} they are for the ranks of the own group, and all ranks of both groups
 * give as many items. In a call with a root, the root gives {@link MPI#ROOT}, the other ranks of its group
 * {@link MPI#PROC_NULL}, and the ranks of the other group, which give or get the data, the root's rank; of the buffers,
 * a rank gives those that its role uses. {@link #barrier} returns when all ranks of both groups have entered. Forms
 * with one buffer raise {@code ERR_COMM} in calls without a root: no contribution is in its place already. A group
 * without ranks gives no data: buffers of the other group stay as they are. There are no scans.
 *
 * <p><b>Failures.</b> {@link #getFailed} and {@link #ackFailed()} go over both groups.
 * {@link MPIException#getFailedRanks} has ranks of the remote group, {@link MPIException#getFailedLocalRanks} those of
 * the local one. A receive from {@link MPI#ANY_SOURCE} is held up by failures in the remote group only.
 *
 * <p><b>Which group is first</b> is the same at all ranks: the one whose rank 0 has the lower number among the places
 * of the job, those of the first world by rank and then those of processes that {@link Intracomm#grow} let in. What
 * {@link #shrink} makes keeps that order.
 */
public final class Intercomm extends Comm {
    /** The state of the communicator; null for the null communicator, and where a non-blocking call makes it. */
    private final CommState made;
    /** The non-blocking call that makes this communicator; null if none does. */
    private final Making making;

    private Intercomm(CommState made, Making making) {
        this.made = made;
        this.making = making;
    }

    static Intercomm create(Comm peer, Comm localComm, int localLeader, int remoteLeader, int tag) {
        if (localComm == null) {
            throw Exceptions.withoutCommunicator(
                    "createIntercomm",
                    MPI.ERR_COMM,
                    "localComm is null; allowed: a communicator of the caller's group");
        }
        CommState state = localComm.enter("createIntercomm");
        try {
            Communicator local = state.communicator();
            if (local.isInter()) {
                throw state.bad(
                        ErrorClass.COMM,
                        "createIntercomm",
                        "localComm is an inter-communicator; allowed: an intra-communicator");
            }
            if (localLeader < 0 || localLeader >= local.size()) {
                throw state.bad(
                        ErrorClass.RANK,
                        "createIntercomm",
                        "localLeader is " + localLeader + "; allowed: 0 to " + (local.size() - 1));
            }
            CallError mistake = null;
            Communicator peers = null;
            if (local.rank() == localLeader) {
                mistake = mistake(peer, state, remoteLeader, tag);
                peers = mistake == null ? peer.lookUp(state.rank()).communicator() : null;
            }
            Communicator inter = local.creation().createInter(localLeader, peers, remoteLeader, tag, mistake);
            return new Intercomm(state.child(inter), null);
        } catch (CallError fault) {
            throw localComm.raise(state, fault);
        }
    }

    /** The error in a leader's own arguments, of which the leader is to tell its group; null if there is none. */
    private static CallError mistake(Comm peer, CommState local, int remoteLeader, int tag) {
        CommState state = peer.lookUp(local.rank());
        if (state == null || state.isFreed() || state.rank() != local.rank()) {
            return local.bad(
                    ErrorClass.COMM,
                    "createIntercomm",
                    "the communicator of the leaders is null, or belongs to another rank");
        }
        try {
            int size = state.communicator().peers();
            if (remoteLeader < 0 || remoteLeader >= size) {
                return local.bad(
                        ErrorClass.RANK,
                        "createIntercomm",
                        "remoteLeader is " + remoteLeader + "; allowed: 0 to " + (size - 1) + " in " + state);
            }
            Arguments.sendTag(local, "createIntercomm", "tag", tag);
            return null;
        } catch (CallError fault) {
            return fault;
        }
    }

    @Override
    CommState lookUp(Rank rank) {
        return making == null ? made : making.state();
    }

    @Override
    Request making() {
        return making == null ? null : making.request();
    }

    @Override
    Intercomm wrap(CommState state) {
        return new Intercomm(state, null);
    }

    /**
     * The number of ranks in the remote group, failed ones included. Local.
     *
     * <p>{@code MPI_Comm_remote_size}, MPI 3.1 section 6.6.1.
     */
    public int getRemoteSize() {
        return enter("getRemoteSize").communicator().peers();
    }

    /**
     * The members of the remote group, in rank order. Local.
     *
     * <p>{@code MPI_Comm_remote_group}, MPI 3.1 section 6.6.1.
     */
    public Group getRemoteGroup() {
        return new Group(ProcessList.ofRemote(enter("getRemoteGroup").communicator()));
    }

    @Override
    public Intercomm dup() {
        return (Intercomm) super.dup();
    }

    @Override
    public Intercomm dupWithInfo(Info info) {
        return (Intercomm) super.dupWithInfo(info);
    }

    @Override
    public Intercomm iDup() {
        CommState state = enter("iDup");
        try {
            return new Intercomm(null, Duplication.startDup(this, state));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    @Override
    public Intercomm clone() {
        return dup();
    }

    /**
     * An inter-communicator of the members of both groups that have not failed, in the same order, with this one's
     * error handler. All live members of both groups must call it; see {@link Comm#shrink}. A group of which all
     * members have failed has size 0 in the result.
     *
     * <p>{@code MPIX_Comm_shrink}, User-Level Failure Mitigation.
     */
    @Override
    public Intercomm shrink() {
        return (Intercomm) super.shrink();
    }

    /**
     * As {@link #shrink} without waiting: {@link #getRequest} of the result is the request, and only when that is
     * complete may the result be used; before, it is null. All live members of both groups must call {@code iShrink}.
     *
     * <p>{@code MPIX_Comm_ishrink}, User-Level Failure Mitigation.
     */
    public Intercomm iShrink() {
        CommState state = enter("iShrink");
        try {
            return new Intercomm(
                    null,
                    new Making(this, state, state.communicator().recovery().startShrink(), state::child));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }

    /**
     * Makes a communicator of the members of both groups. Collective over both groups, blocking. All members of one
     * group give the same {@code high}. The group that gives true comes after the other one; if both groups give the
     * same, the group that is first in this inter-communicator (see the description of this class) comes first. The
     * ranks of one group keep their order. The new communicator has the error handler of this one.
     *
     * <p>{@code MPI_Intercomm_merge}, MPI 3.1 section 6.6.2.
     *
     * @param high whether the caller's group comes second
     * @throws MPIException of class {@code ERR_ARG}, at all members alike, if members of one group gave different
     *     values
     */
    public Intracomm merge(boolean high) {
        CommState state = enter("merge");
        try {
            return new Intracomm(state.child(state.communicator().creation().merge(high)));
        } catch (CallError fault) {
            throw raise(state, fault);
        }
    }
}
