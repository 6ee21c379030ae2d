package org.ulfmj.testkit.junit;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * A recovery loop in three versions, as docs/use/simulated-programs.md shows them: each step adds up one number per
 * rank, and all survivors must have the same sums at the end. The first two versions have a mistake.
 */
class RecoveryLoop {
    private static final int STEPS = 6;

    @SimulatedMpi(ranks = 6, seeds = 200, faults = "kill:rank=any(2)@op=*")
    void asItWasFirstWritten(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm comm = MPI.COMM_WORLD;
        long[] sums = new long[STEPS];
        int step = 0;
        while (step < STEPS) {
            try {
                sums[step] = sum(comm, step);
                step++;
            } catch (ProcFailedException | RevokedException failure) {
                comm.revoke();
                comm = comm.shrink();
            }
        }
        test.result(Arrays.toString(sums));
        MPI.Finalize();
    }

    private static long sum(Intracomm comm, int step) {
        long[] sum = new long[1];
        comm.allReduce(new long[] {100 + step}, sum, 1, MPI.LONG, MPI.SUM);
        return sum[0];
    }

    @SimulatedMpi(ranks = 6, seeds = 200, faults = "kill:rank=any(2)@op=*")
    void goingBackToACommonStep(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm comm = MPI.COMM_WORLD;
        long[] sums = new long[STEPS];
        int[] step = new int[1];
        boolean mayBeApart = false;
        while (step[0] < STEPS) {
            try {
                if (mayBeApart) {
                    comm.allReduce(step, 1, MPI.INT, MPI.MIN);
                    mayBeApart = false;
                }
                sums[step[0]] = sum(comm, step[0]);
                step[0]++;
            } catch (ProcFailedException | RevokedException failure) {
                comm.revoke();
                comm = comm.shrink();
                mayBeApart = true;
            }
        }
        test.result(Arrays.toString(sums));
        MPI.Finalize();
    }

    @SimulatedMpi(ranks = 6, seeds = 200, faults = "kill:rank=any(2)@op=*")
    void agreeingOnEachStep(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm comm = MPI.COMM_WORLD;
        long[] sums = new long[STEPS];
        int step = 0;
        while (step < STEPS) {
            boolean done = false;
            try {
                sums[step] = sum(comm, step);
                done = true;
            } catch (ProcFailedException | RevokedException failure) {
                comm.revoke();
            }
            if (agreed(comm, done)) {
                step++;
            } else {
                comm = comm.shrink();
            }
        }
        test.result(Arrays.toString(sums));
        MPI.Finalize();
    }

    private static boolean agreed(Intracomm comm, boolean done) {
        try {
            return comm.agree(done ? 1 : 0) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }
}
