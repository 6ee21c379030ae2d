package org.ulfmj.testkit.invariant;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.SimResult;

/**
 * The programs of this package make calls through this class, which passes each of these and its outcome to the
 * invariants. There is one object per run, used by one thread at a time.
 */
final class Watch {
    private final List<ProgramInvariant> invariants;
    private final List<Call> calls = new ArrayList<>();
    private final List<CompletedRequest> completed = new ArrayList<>();

    Watch(List<ProgramInvariant> invariants) {
        this.invariants = invariants;
    }

    /** Makes a call and passes its beginning and its outcome to the invariants. */
    <T> T call(String name, Call.Kind kind, Intracomm comm, int peerRank, Supplier<T> body) {
        Call call = begin(name, kind, comm, peerRank);
        T result;
        try {
            result = body.get();
        } catch (MPIException error) {
            call.endSeconds = MPI.wtime();
            Raised raised = new Raised(error, failed(comm), comm.isRevoked());
            invariants.forEach(invariant -> invariant.onRaise(call, raised));
            throw error;
        }
        call.endSeconds = MPI.wtime();
        invariants.forEach(invariant -> invariant.onReturn(call));
        return result;
    }

    void call(String name, Call.Kind kind, Intracomm comm, int peerRank, Runnable body) {
        call(name, kind, comm, peerRank, () -> {
            body.run();
            return null;
        });
    }

    private Call begin(String name, Call.Kind kind, Intracomm comm, int peerRank) {
        int slot = MPI.COMM_WORLD.getRank();
        int peer = peerRank < 0 ? -1 : slots(comm)[peerRank];
        int acknowledged = comm.ackFailed(0);
        Call call = new Call(slot, name, kind, comm, peer, MPI.wtime(), failed(comm), acknowledged);
        calls.add(call);
        invariants.forEach(invariant -> invariant.onBegin(call));
        return call;
    }

    void received(Received received) {
        Call call = last();
        invariants.forEach(invariant -> invariant.onReceived(call, received));
    }

    void completed(String name, Request request, IntBuffer buffer) {
        CompletedRequest over = new CompletedRequest(name, request, buffer);
        completed.add(over);
        invariants.forEach(invariant -> invariant.onCompleted(over));
    }

    void result(boolean isRight, Supplier<String> what) {
        Call call = last();
        String text = isRight ? "" : what.get();
        invariants.forEach(invariant -> invariant.onResult(call, isRight, text));
    }

    void attempt(int number, boolean mine, boolean all) {
        Call call = last();
        invariants.forEach(invariant -> invariant.onAttempt(call, number, mine, all));
    }

    /** Tells the invariants that this rank's last call, on a communicator that the rank has revoked, has succeeded. */
    void afterRevoking() {
        Call call = last();
        invariants.forEach(invariant -> invariant.onSuccessAfterRevoking(call));
    }

    /** The last call of the calling rank. */
    private Call last() {
        int slot = MPI.COMM_WORLD.getRank();
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (calls.get(i).slot == slot) {
                return calls.get(i);
            }
        }
        throw new IllegalStateException("rank " + slot + " has made no call");
    }

    /** Returns the violations of all invariants, after the run has ended. */
    List<String> atEnd(SimResult result) {
        Set<Integer> dead = new TreeSet<>();
        for (int rank = 0; rank < result.ends().size(); rank++) {
            if (result.ends().end(rank) != RankEnd.FINALIZED && result.ends().end(rank) != RankEnd.ABORTED) {
                dead.add(rank);
            }
        }
        Run run = new Run(result, calls, dead);
        List<String> violations = new ArrayList<>();
        for (ProgramInvariant invariant : invariants) {
            invariant.atEnd(run);
            violations.addAll(invariant.violations());
        }
        return violations;
    }

    static int[] slots(Intracomm comm) {
        return inWorld(comm.getGroup());
    }

    static Set<Integer> failed(Intracomm comm) {
        Set<Integer> failed = new TreeSet<>();
        for (int slot : inWorld(comm.getFailed())) {
            failed.add(slot);
        }
        return failed;
    }

    private static int[] inWorld(Group group) {
        int[] ranks = new int[group.getSize()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = i;
        }
        return Group.translateRanks(group, ranks, MPI.COMM_WORLD.getGroup());
    }
}
