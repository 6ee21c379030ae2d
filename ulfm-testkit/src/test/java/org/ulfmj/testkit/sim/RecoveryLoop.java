package org.ulfmj.testkit.sim;

import java.util.Arrays;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import org.ulfmj.testkit.RankEnd;

/**
 * A program that sums in rounds and, when a rank fails, revokes, agrees that not all are done, shrinks, and goes on
 * from the least number of rounds that a member has done. The result of each rank is kept for the test: all ranks that
 * finish must have done all rounds, each with the same members.
 */
final class RecoveryLoop {
    private static final int ROUNDS = 12;
    private static final int BLOCK = 3000;

    private final int ranks;
    /**
     * For each rank and round: the sum, which has a bit per rank that took part. The field {@code sizes} has the size
     * of the communicator.
     */
    private final int[][] sums;

    private final int[][] sizes;
    /** By rank: rounds done. */
    private final int[] done;

    RecoveryLoop(int ranks) {
        this.ranks = ranks;
        this.sums = new int[ranks][ROUNDS];
        this.sizes = new int[ranks][ROUNDS];
        this.done = new int[ranks];
    }

    void main() {
        MPI.Init(new String[0]);
        int me = MPI.COMM_WORLD.getRank();
        Comm comm = MPI.COMM_WORLD;
        while (!isDoneByAll(comm, work(comm, me))) {
            comm = comm.shrink();
        }
        MPI.Finalize();
    }

    /**
     * Does the remaining rounds, beginning with the first one that some rank has not done; returns false if a rank
     * failed meanwhile.
     */
    private boolean work(Comm comm, int me) {
        try {
            int[] least = {done[me]};
            comm.allReduce(least, 1, MPI.INT, MPI.MIN);
            // This rank may have done further rounds with members that failed afterwards, and does them again: the
            // other ranks wait for it there.
            done[me] = least[0];
            while (done[me] < ROUNDS) {
                step(comm, me, done[me]);
                done[me]++;
            }
            return true;
        } catch (MPIException failure) {
            comm.revoke();
            return false;
        }
    }

    /**
     * Whether all members have done all rounds, by an agreement that ranks with and without a failure call, so that all
     * go on in the same way.
     */
    private static boolean isDoneByAll(Comm comm, boolean isDone) {
        try {
            return comm.agree(isDone ? 1 : 0) == 1;
        } catch (MPIException unacknowledged) {
            return false;
        }
    }

    private void step(Comm comm, int me, int round) {
        int[] value = {1 << me};
        comm.allReduce(value, 1, MPI.INT, MPI.SUM);
        sums[me][round] = value[0];
        sizes[me][round] = comm.getSize();
        if (round % 3 == 0) {
            int[] token = {round};
            int next = (comm.getRank() + 1) % comm.getSize();
            int previous = (comm.getRank() + comm.getSize() - 1) % comm.getSize();
            int[] received = new int[1];
            comm.sendRecv(token, 1, MPI.INT, next, round, received, 1, MPI.INT, previous, round);
            if (received[0] != round) {
                throw new AssertionError("round " + round + ": received " + received[0]);
            }
        } else if (round % 3 == 1) {
            int root = round % comm.getSize();
            int[] block = new int[BLOCK];
            Arrays.fill(block, comm.getRank() == root ? round : -1);
            comm.bcast(block, BLOCK, MPI.INT, root);
            if (block[0] != round || block[BLOCK - 1] != round) {
                throw new AssertionError("round " + round + ": a block of " + block[0] + " to " + block[BLOCK - 1]);
            }
        }
    }

    /**
     * Throws if a survivor did not succeed, if one of its sums does not fit the size of the communicator, or if the
     * sums of two survivors differ.
     */
    void check(SimResult result) {
        result.ends().requireSurvivorsSucceeded();
        int first = -1;
        for (int rank = 0; rank < ranks; rank++) {
            if (result.ends().end(rank) != RankEnd.FINALIZED) {
                continue;
            }
            for (int round = 0; round < ROUNDS; round++) {
                int sum = sums[rank][round];
                if (Integer.bitCount(sum) != sizes[rank][round] || (sum & 1 << rank) == 0) {
                    throw new AssertionError("rank " + rank + " in round " + round + ": sum "
                            + Integer.toBinaryString(sum) + " of " + sizes[rank][round] + " ranks");
                }
            }
            if (first >= 0 && !Arrays.equals(sums[first], sums[rank])) {
                throw new AssertionError("ranks " + first + " and " + rank + " differ: " + Arrays.toString(sums[first])
                        + " and " + Arrays.toString(sums[rank]));
            }
            first = rank;
        }
    }
}
