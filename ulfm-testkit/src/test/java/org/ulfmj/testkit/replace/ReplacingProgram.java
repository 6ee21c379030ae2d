package org.ulfmj.testkit.replace;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.RankEnd;

/**
 * A program that keeps its full size. In each round its ranks do a sum, pass a token round a ring, broadcast, and in
 * some rounds make a communicator of half the ranks, on which they sum in the next round; the values are checked. When
 * a rank dies the others have it replaced, take over the state of the rank that has done most rounds, and go on from
 * there; if no process can take the dead one's place they shrink. There is one object per run.
 */
final class ReplacingProgram {
    private static final int ROUNDS = 6;
    private static final int BLOCK = 700;
    private static final long FACTOR = 31;

    private final int ranks;
    /**
     * For each process that finished: its worker, with its value and the reason why a replacement was refused, if one
     * was.
     */
    private final Map<ProcessId, Worker> finished = new ConcurrentSkipListMap<>();

    ReplacingProgram(int ranks) {
        this.ranks = ranks;
    }

    void main() {
        MPI.Init(new String[0]);
        Worker worker = new Worker();
        while (worker.round < ROUNDS) {
            if (worker.isDoneByAll(worker.attempt())) {
                worker.advance();
            } else {
                worker.repair();
            }
        }
        finished.put(worker.id, worker);
        MPI.Finalize();
    }

    /** What one process does. */
    private final class Worker {
        final ProcessId id = new ProcessId(MPI.COMM_WORLD.getRank(), MPI.getIncarnation());
        private Intracomm world = MPI.COMM_WORLD;
        /** The slots of the members of {@code world}, by rank, as {@link #takeOver} has found them. */
        private int[] members;

        int round;
        long value;
        /** The value once all members have done the current round. */
        private long next;

        /** Whether some member may have done more rounds than others, or none at all. */
        private boolean mayBeApart = true;

        /**
         * The communicator of this rank's half that all members made in the round before and have not used yet; null if
         * there is none.
         */
        private Intracomm half;

        /** Why a replacement was refused; null while none was. */
        String refusal;

        Worker() {
            if (MPI.isReplacement() != id.incarnation() > 0 || id.incarnation() > 0 && world.getSize() > ranks) {
                throw new AssertionError(id + " is a replacement: " + MPI.isReplacement() + ", of " + world.getSize());
            }
        }

        /** Does one round; returns false if a rank failed. */
        boolean attempt() {
            try {
                if (mayBeApart) {
                    takeOver();
                }
                step();
                return true;
            } catch (MPIException failure) {
                requireFailure(failure);
                world.revoke();
                if (half != null) {
                    half.revoke();
                }
                return false;
            }
        }

        /** All have done the round. */
        void advance() {
            value = next;
            round++;
            mayBeApart = false;
        }

        /**
         * Whether all members have done the round, by an agreement that ranks with and without a failure call, so that
         * all go on in the same way.
         */
        boolean isDoneByAll(boolean isDone) {
            try {
                return world.agree(isDone ? 1 : 0) == 1;
            } catch (MPIException unacknowledged) {
                requireFailure(unacknowledged);
                return false;
            }
        }

        void repair() {
            mayBeApart = true;
            half = null;
            if (refusal == null) {
                try {
                    int rank = world.getRank();
                    world = world.replace();
                    if (world.getRank() != rank || world.getSize() != ranks || world != MPI.COMM_WORLD) {
                        throw new AssertionError("rank " + rank + " of " + ranks + " is now rank " + world.getRank()
                                + " of " + world.getSize());
                    }
                    return;
                } catch (MPIException refused) {
                    if (refused.getErrorClass() != MPI.ERR_SPAWN) {
                        throw refused;
                    }
                    refusal = refused.getMessage();
                }
            }
            world = world.shrink();
        }

        /** Takes over the round and the value of the member that has done most rounds. */
        private void takeOver() {
            int size = world.getSize();
            long[] states = new long[3 * size];
            world.allGather(new long[] {id.slot(), round, value}, 3, MPI.LONG, states, 3, MPI.LONG);
            members = new int[size];
            long[] known = new long[ROUNDS + 1];
            boolean[] isKnown = new boolean[ROUNDS + 1];
            for (int rank = 0; rank < size; rank++) {
                members[rank] = (int) states[3 * rank];
                int done = (int) states[3 * rank + 1];
                if (isKnown[done] && known[done] != states[3 * rank + 2]) {
                    throw new AssertionError("after round " + done + " two values: " + Arrays.toString(states));
                }
                isKnown[done] = true;
                known[done] = states[3 * rank + 2];
                round = Math.max(round, done);
            }
            value = known[round];
        }

        private void step() {
            if (half != null) {
                sumInHalf();
            }
            long[] sum = {weight(id.slot(), round)};
            world.allReduce(sum, 1, MPI.LONG, MPI.SUM);
            require("allReduce", sumOf(members, round), sum[0]);
            passToken();
            broadcast();
            if (round % 2 == 0) {
                // The half is used only in the next round, when all members have made it: a rank that alone had made it
                // would wait there for a member that recovers.
                half = world.split(id.slot() % 2, -id.slot());
            }
            next = value * FACTOR + sum[0];
        }

        private void passToken() {
            int size = world.getSize();
            int me = world.getRank();
            int[] received = {-1};
            world.sendRecv(
                    new int[] {members[me] + round},
                    1,
                    MPI.INT,
                    (me + 1) % size,
                    round,
                    received,
                    1,
                    MPI.INT,
                    (me + size - 1) % size,
                    round);
            require("sendRecv", members[(me + size - 1) % size] + round, received[0]);
        }

        private void broadcast() {
            int root = round % world.getSize();
            int[] block = new int[BLOCK];
            Arrays.fill(block, world.getRank() == root ? members[root] : -1);
            world.bcast(block, BLOCK, MPI.INT, root);
            require("bcast", members[root], block[0]);
            require("bcast", members[root], block[BLOCK - 1]);
        }

        /** Sums on the communicator of this rank's half, which was split from the present world in the round before. */
        private void sumInHalf() {
            long[] sum = {weight(id.slot(), round)};
            half.allReduce(sum, 1, MPI.LONG, MPI.SUM);
            int[] same = Arrays.stream(members)
                    .filter(member -> member % 2 == id.slot() % 2)
                    .toArray();
            require("allReduce on a half", sumOf(same, round), sum[0]);
            half.free();
            half = null;
        }

        private void require(String operation, long expected, long actual) {
            if (expected != actual) {
                throw new AssertionError(operation + " in round " + round + " at rank " + id + " gave " + actual
                        + " instead of " + expected);
            }
        }
    }

    private static void requireFailure(MPIException exception) {
        int errorClass = exception.getErrorClass();
        if (errorClass != MPI.ERR_PROC_FAILED && errorClass != MPI.ERR_REVOKED) {
            throw exception;
        }
    }

    private static long weight(int slot, int round) {
        return (slot + 1L) * (round + 1L);
    }

    private static long sumOf(int[] members, int round) {
        return Arrays.stream(members).mapToLong(member -> weight(member, round)).sum();
    }

    /** Whether a process that finished had a replacement refused. */
    boolean wasRefused() {
        return finished.values().stream().anyMatch(worker -> worker.refusal != null);
    }

    /**
     * Returns the reasons for refused replacements as the processes that finished got them, one per line: not every
     * rank knows why another one has stopped waiting.
     */
    String refusals() {
        return finished.values().stream()
                .map(worker -> worker.refusal)
                .filter(refusal -> refusal != null)
                .collect(Collectors.joining("\n"));
    }

    /** Returns the number of replacement processes that finished. */
    long replacements() {
        return finished.keySet().stream().filter(id -> id.incarnation() > 0).count();
    }

    /**
     * Throws if a live rank did not finish, if the values of two ranks differ, if the value is wrong although no
     * replacement was refused, or if a process returned without Finalize.
     */
    void check(LocalResult ends) {
        ends.requireSurvivorsSucceeded();
        long value = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int[] all = new int[ranks];
            Arrays.setAll(all, slot -> slot);
            value = value * FACTOR + sumOf(all, round);
        }
        Worker first = null;
        for (ProcessId id : ends.processes(RankEnd.FINALIZED)) {
            Worker worker = finished.get(id);
            first = first == null ? worker : first;
            if (worker.value != first.value) {
                throw new AssertionError(first.id + " has " + first.value + ", " + id + " has " + worker.value);
            }
        }
        if (!wasRefused() && first != null && first.value != value) {
            throw new AssertionError("with all ranks the value is " + value + ", not " + first.value);
        }
        if (!ends.processes(RankEnd.RETURNED).isEmpty()) {
            throw new AssertionError("somebody returned without Finalize: " + ends);
        }
    }
}
