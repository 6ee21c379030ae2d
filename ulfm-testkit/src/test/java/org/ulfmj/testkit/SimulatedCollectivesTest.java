package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Survival.agreed;
import static org.ulfmj.testkit.Survival.madeByAll;
import static org.ulfmj.testkit.Survival.untilDone;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;

/**
 * Tests collectives, agreements, the creation of communicators and recovery in simulated time, with deaths at any call
 * of any rank.
 */
class SimulatedCollectivesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @SimulatedMpi(ranks = 8, seeds = 60, faults = "kill:rank=any(7)@op=*")
    void shouldFinishTheWorkAloneIfNeedBe(SimulatedRank test) {
        MPI.Init(new String[0]);
        int[] step = new int[1];
        Intracomm left = untilDone(WORLD, comm -> {
            comm.allReduce(step, 1, MPI.INT, MPI.MIN);
            int[] members = slots(comm);
            while (step[0] < 12) {
                long[] sum = new long[1];
                comm.allReduce(new long[] {value(worldRank(), step[0])}, sum, 1, MPI.LONG, MPI.SUM);
                assertThat(sum[0]).isEqualTo(sumOver(members, step[0]));
                step[0]++;
            }
        });
        test.result(Arrays.toString(slots(left)) + " " + step[0]);
        MPI.Finalize();
    }

    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(3)@op=*")
    void shouldRevokeAndShrinkOverAndOver(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm comm = madeByAll(WORLD, Intracomm::dup);
        for (int round = 0; round < 6; round++) {
            if (comm.getRank() == round % comm.getSize()) {
                comm.revoke();
            }
            int error = MPI.SUCCESS;
            while (error == MPI.SUCCESS) {
                error = errorClass(comm::barrier);
            }
            assertThat(error).isIn(MPI.ERR_REVOKED, MPI.ERR_PROC_FAILED);
            Intracomm old = comm;
            comm = old.shrink();
            old.free();
        }
        test.result(slots(comm));
        MPI.Finalize();
    }

    /**
     * Each half of the world does its own barriers and reductions, without an agreement between the halves: a death may
     * raise an error only in the half of the dead rank.
     */
    @SimulatedMpi(ranks = 6, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldRaiseNothingOnACommunicatorWhoseMembersAllLive() {
        MPI.Init(new String[0]);
        Intracomm half = madeByAll(WORLD, comm -> comm.split(worldRank() % 2, worldRank()));
        try {
            for (int round = 0; round < 12; round++) {
                int[] count = new int[1];
                half.allReduce(new int[] {1}, count, 1, MPI.INT, MPI.SUM);
                assertThat(count[0]).isEqualTo(half.getSize());
                half.barrier();
            }
        } catch (ProcFailedException failure) {
            for (int slot : ranksInWorld(half.getFailed())) {
                assertThat(slot % 2).isEqualTo(worldRank() % 2);
            }
            assertThat(half.getFailed().getSize()).isPositive();
        }
        MPI.Finalize();
    }

    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldGiveTheRightValueOrSayThatARankFailed() {
        MPI.Init(new String[0]);
        int rank = worldRank();
        for (int root = 0; root < 4; root++) {
            int[] value = {rank == root ? 100 + root : 0};
            int[] all = new int[4];
            int at = root;
            if (errorClass(() -> WORLD.bcast(value, 1, MPI.INT, at)) == MPI.SUCCESS) {
                assertThat(value[0]).isEqualTo(100 + root);
            }
            if (errorClass(() -> WORLD.gather(new int[] {rank}, 1, MPI.INT, all, 1, MPI.INT, at)) == MPI.SUCCESS
                    && rank == root) {
                assertThat(all).containsExactly(0, 1, 2, 3);
            }
            int[] parts = {10, 11, 12, 13};
            if (errorClass(() -> WORLD.scatter(parts, 1, MPI.INT, value, 1, MPI.INT, at)) == MPI.SUCCESS) {
                assertThat(value[0]).isEqualTo(10 + rank);
            }
            if (errorClass(() -> WORLD.reduce(new int[] {1 << rank}, value, 1, MPI.INT, MPI.SUM, at)) == MPI.SUCCESS
                    && rank == root) {
                assertThat(value[0]).isEqualTo(15);
            }
        }
        MPI.Finalize();
    }

    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldAgreeOnValueAndErrorAlike(SimulatedRank test) {
        MPI.Init(new String[0]);
        List<String> agreements = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            int[] flag = {0b11111 & ~(1 << test.random().nextInt(5))};
            int mine = flag[0];
            int error = errorClass(() -> WORLD.agree(flag));
            assertThat(error).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
            assertThat(flag[0] & ~mine).isZero();
            agreements.add(error + ":" + flag[0]);
            if (error != MPI.SUCCESS) {
                WORLD.ackFailed();
            }
        }
        test.result(agreements);
        MPI.Finalize();
    }

    /** Each rank has two agreements under way at once; odd and even ranks wait for them in opposite orders. */
    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(1)@op=*")
    void shouldAgreeInTheBackgroundInWhateverOrderTheyAreWaitedFor(SimulatedRank test) {
        MPI.Init(new String[0]);
        IntBuffer one = MPI.newIntBuffer(1).put(0, worldRank() % 2 == 0 ? 0b1011 : 0b1101);
        IntBuffer other = MPI.newIntBuffer(1).put(0, 0b111 << worldRank() % 2);
        Request[] requests = {WORLD.iAgree(one), WORLD.iAgree(other)};
        int[] errors = new int[2];
        for (int i = 0; i < 2; i++) {
            int index = (i + worldRank()) % 2;
            errors[index] = errorClass(requests[index]::waitFor);
        }
        if (errors[0] == MPI.SUCCESS) {
            assertThat(one.get(0)).isEqualTo(0b1001);
        }
        test.result(Arrays.toString(errors) + one.get(0) + "," + other.get(0));
        MPI.Finalize();
    }

    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldCommitATransactionAtAllOrAtNone(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm comm = WORLD;
        List<Integer> committed = new ArrayList<>();
        while (committed.size() < 6) {
            int[] sum = new int[1];
            boolean right = false;
            try {
                comm.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
                right = true;
            } catch (ProcFailedException failure) {
                // Said to the others by the agreement.
            }
            if (agreed(comm, right)) {
                assertThat(sum[0]).isEqualTo(comm.getSize());
                committed.add(sum[0]);
            } else {
                comm = comm.shrink();
            }
        }
        test.result(committed);
        MPI.Finalize();
    }

    /**
     * The creation of a communicator is no agreement: it may succeed at some ranks and fail at others. With an
     * agreement afterwards, all ranks keep the new communicator or none does.
     */
    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldMakeACreationUniformByAgreeing(SimulatedRank test) {
        MPI.Init(new String[0]);
        List<Boolean> kept = new ArrayList<>();
        Intracomm comm = WORLD;
        for (int round = 0; round < 5; round++) {
            Intracomm from = comm;
            Intracomm[] made = new Intracomm[1];
            int error = errorClass(() -> made[0] = round(from, kept.size()));
            assertThat(error).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
            boolean all = agreed(from, error == MPI.SUCCESS);
            kept.add(all);
            if (!all) {
                comm = from.shrink();
            } else {
                assertThat(made[0].getSize()).isEqualTo(from.getSize());
            }
        }
        test.result(kept);
        MPI.Finalize();
    }

    private static Intracomm round(Intracomm from, int round) {
        return switch (round % 3) {
            case 0 -> from.dup();
            case 1 -> from.split(0, -from.getRank());
            default -> from.create(from.getGroup());
        };
    }

    /**
     * The set of acknowledged failures changes only when ackFailed is called again, no matter which failures become
     * known meanwhile.
     */
    @SuppressWarnings("deprecation") // failureGetAcked is what existing programs call
    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldKeepWhatWasAcknowledgedUntilItIsSaidAgain() {
        MPI.Init(new String[0]);
        int[] before = ranksInWorld(WORLD.failureGetAcked());
        assertThat(before).isEmpty();
        for (int round = 0; round < 8; round++) {
            errorClass(WORLD::barrier);
            int[] failed = ranksInWorld(WORLD.getFailed());
            assertThat(ranksInWorld(WORLD.failureGetAcked())).containsExactly(before);
            int count = Math.min(failed.length, before.length + 1);
            assertThat(WORLD.ackFailed(count)).isEqualTo(count);
            before = ranksInWorld(WORLD.failureGetAcked());
            assertThat(before).containsExactly(Arrays.copyOf(failed, count));
        }
        MPI.Finalize();
    }

    /**
     * When the last rank of a communicator revokes it, or dies before that, the wait of each other live rank on the
     * communicator ends with an error.
     */
    @SimulatedMpi(ranks = 6, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldInterruptWhateverWaitsWhenARankRevokes(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm comm = madeByAll(WORLD, Intracomm::dup);
        int revoker = comm.getSize() - 1;
        try {
            waitFor(comm, revoker);
            assertThat(comm.getRank()).isEqualTo(revoker);
        } catch (ProcFailedException | RevokedException error) {
            Survival.requireFailure(comm, error);
        }
        comm.revoke();
        assertThat(comm.isRevoked()).isTrue();
        assertThat(errorClass(() -> comm.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0)))
                .isEqualTo(MPI.ERR_REVOKED);
        test.result(slots(comm.shrink()));
        MPI.Finalize();
    }

    private static void waitFor(Intracomm comm, int revoker) throws MPIException {
        if (comm.getRank() == revoker) {
            comm.revoke();
            return;
        }
        switch (comm.getRank() % 5) {
            case 0 -> comm.recv(new int[1], 1, MPI.INT, revoker, 1);
            case 1 -> comm.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
            case 2 -> comm.probe(revoker, 1);
            case 3 -> comm.barrier();
            default -> comm.sSend(new int[1], 1, MPI.INT, revoker, 1);
        }
    }

    private static int worldRank() {
        return WORLD.getRank();
    }

    private static int[] ranksInWorld(Group group) {
        return Programs.ranks(group, WORLD);
    }

    private static long value(int slot, int step) {
        return 1_000L * step + slot;
    }

    private static long sumOver(int[] slots, int step) {
        return Arrays.stream(slots).mapToLong(slot -> value(slot, step)).sum();
    }
}
