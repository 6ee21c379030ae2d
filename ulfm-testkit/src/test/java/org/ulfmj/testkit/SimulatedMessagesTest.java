package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Survival.agreed;
import static org.ulfmj.testkit.Survival.requireFailure;
import static org.ulfmj.testkit.Survival.untilDone;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.ProcFailedPendingException;
import mpi.Request;
import mpi.Resilient;
import mpi.RevokedException;
import mpi.Status;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;

/** Tests messages between ranks in simulated time, with deaths at any call of any rank. */
class SimulatedMessagesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int TAG = 7;

    /** Shows that two live ranks can exchange messages on a communicator in which other ranks have died. */
    @SimulatedMpi(ranks = 6, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldCarryMessagesBetweenTwoThatLiveUnderAnyDeaths() {
        MPI.Init(new String[0]);
        int rank = WORLD.getRank();
        int partner = rank ^ 1;
        int[] ball = new int[1];
        try {
            for (int round = 0; round < 10; round++) {
                if (rank % 2 == 0) {
                    WORLD.send(new int[] {round}, 1, MPI.INT, partner, TAG);
                    WORLD.recv(ball, 1, MPI.INT, partner, TAG);
                } else {
                    WORLD.recv(ball, 1, MPI.INT, partner, TAG);
                    WORLD.send(ball, 1, MPI.INT, partner, TAG);
                }
                assertThat(ball[0]).isEqualTo(round);
            }
        } catch (ProcFailedException death) {
            assertThat(failedRanks(WORLD)).contains(partner);
        }
        MPI.Finalize();
    }

    /**
     * Shows that the call which starts an operation raises no failure; the failure is raised when the request is
     * completed.
     */
    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldRaiseFailuresWhereRequestsAreCompletedAndNotWhereTheyAreStarted(SimulatedRank test) {
        MPI.Init(new String[0]);
        int[] step = new int[1];
        Intracomm left = untilDone(WORLD, comm -> {
            comm.allReduce(step, 1, MPI.INT, MPI.MIN);
            for (; step[0] < 6; step[0]++) {
                exchangeWithAll(comm, step[0]);
            }
        });
        test.result(slots(left));
        MPI.Finalize();
    }

    private static void exchangeWithAll(Intracomm comm, int step) {
        int size = comm.getSize();
        IntBuffer[] in = new IntBuffer[size];
        Request[] requests = new Request[2 * size];
        try {
            for (int other = 0; other < size; other++) {
                in[other] = MPI.newIntBuffer(1);
                requests[other] = comm.iRecv(in[other], 1, MPI.INT, other, step);
                IntBuffer out = MPI.newIntBuffer(1).put(0, 100 * comm.getRank() + step);
                requests[size + other] = comm.iSend(out, 1, MPI.INT, other, step);
            }
        } catch (ProcFailedException | RevokedException error) {
            throw new AssertionError("raised at the start", error);
        }
        Request.waitAll(requests);
        for (int other = 0; other < size; other++) {
            assertThat(in[other].get(0)).isEqualTo(100 * other + step);
        }
    }

    /**
     * A ring in which each rank exchanges messages with its two neighbours: the neighbours of a dead rank notice its
     * death. The retry loop revokes, so that the other ranks do not wait for ever.
     */
    @SimulatedMpi(ranks = 6, seeds = 60, faults = "kill:rank=any(3)@op=*")
    void shouldBreakAChainOfDependenciesByRevoking(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intracomm left = Resilient.run(WORLD, comm -> {
            int size = comm.getSize();
            int rank = comm.getRank();
            int[] token = {rank};
            for (int hop = 1; hop <= 8; hop++) {
                int[] next = new int[1];
                comm.sendRecv(
                        token, 1, MPI.INT, (rank + 1) % size, hop, next, 1, MPI.INT, (rank + size - 1) % size, hop);
                token[0] = next[0];
                assertThat(token[0]).isEqualTo(Math.floorMod(rank - hop, size));
            }
        });
        test.result(slots(left));
        MPI.Finalize();
    }

    /**
     * Rank 0 receives from any source, acknowledges one more failure after each error, and goes on until it has all
     * messages of the ranks whose failure it has not acknowledged.
     */
    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(3)@op=*")
    void shouldReceiveFromTheRanksThatAreLeftAfterAcknowledging() {
        MPI.Init(new String[0]);
        if (WORLD.getRank() == 0) {
            collect(4);
        } else {
            report(4);
        }
        MPI.Finalize();
    }

    private static void report(int messages) {
        for (int number = 0; number < messages; number++) {
            sendToZero(number);
        }
    }

    private static void sendToZero(int number) {
        try {
            WORLD.send(new int[] {number}, 1, MPI.INT, 0, TAG);
        } catch (ProcFailedException death) {
            assertThat(failedRanks(WORLD)).contains(0);
        }
    }

    private static void collect(int messages) {
        int[] received = new int[WORLD.getSize()];
        int[] number = new int[1];
        while (!isComplete(received, messages, WORLD.ackFailed(0))) {
            try {
                Status status = WORLD.recv(number, 1, MPI.INT, MPI.ANY_SOURCE, TAG);
                assertThat(number[0]).isEqualTo(received[status.getSource()]++);
            } catch (ProcFailedException death) {
                int[] failed = failedRanks(WORLD);
                int acknowledged = WORLD.ackFailed(0);
                assertThat(failed.length).isGreaterThan(acknowledged);
                assertThat(WORLD.ackFailed(acknowledged + 1)).isEqualTo(acknowledged + 1);
            }
        }
    }

    /** Whether rank 0 has got all messages of each other rank, not counting ranks whose death it has acknowledged. */
    private static boolean isComplete(int[] received, int messages, int acknowledged) {
        int[] dead = Arrays.copyOf(failedRanks(WORLD), acknowledged);
        for (int rank = 1; rank < received.length; rank++) {
            int candidate = rank;
            if (received[rank] < messages && Arrays.stream(dead).noneMatch(one -> one == candidate)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Shows that a non-blocking receive from any source that a failure holds up stays active, and completes with a
     * message once the failure is acknowledged.
     */
    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldCompleteAHeldUpReceiveAfterAcknowledging() {
        MPI.Init(new String[0]);
        if (WORLD.getRank() == 0) {
            int others = WORLD.getSize() - 1;
            IntBuffer in = MPI.newIntBuffer(1);
            Request request = WORLD.iRecv(in, 1, MPI.INT, MPI.ANY_SOURCE, TAG);
            int received = 0;
            while (received + WORLD.ackFailed(0) < others) {
                try {
                    Status status = request.waitStatus();
                    assertThat(in.get(0)).isEqualTo(status.getSource());
                    received++;
                    request = WORLD.iRecv(in, 1, MPI.INT, MPI.ANY_SOURCE, TAG);
                } catch (ProcFailedPendingException heldUp) {
                    assertThat(request.isNull()).isFalse();
                    WORLD.ackFailed();
                }
            }
            request.cancel();
            request.waitFor();
        } else {
            sendToZero(WORLD.getRank());
        }
        MPI.Finalize();
    }

    /**
     * Shows that a send to a dead rank succeeds or raises the failure, also the second send, and never waits for ever.
     */
    @SimulatedMpi(ranks = 3, seeds = 60, faults = "kill:rank=any(1)@op=*")
    void shouldSendToADeadRankOrSayThatItFailed() {
        MPI.Init(new String[0]);
        int rank = WORLD.getRank();
        int size = WORLD.getSize();
        for (int count : new int[] {1, 40_000, 100_000}) {
            for (int times = 0; times < 2; times++) {
                pass(count, (rank + 1) % size, (rank + size - 1) % size);
            }
        }
        MPI.Finalize();
    }

    private static void pass(int count, int to, int from) {
        byte[] in = new byte[count];
        byte[] out = filled(count, WORLD.getRank());
        Request receive = WORLD.iRecv(MPI.slice(in, 0), count, MPI.BYTE, from, TAG);
        try {
            WORLD.send(out, count, MPI.BYTE, to, TAG);
        } catch (ProcFailedException death) {
            assertThat(failedRanks(WORLD)).contains(to);
        }
        try {
            receive.waitFor();
            assertThat(Arrays.equals(in, filled(count, from))).isTrue();
        } catch (ProcFailedException death) {
            assertThat(failedRanks(WORLD)).contains(from);
        }
    }

    private static byte[] filled(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /**
     * A bag of tasks, which rank 0 as the manager hands out: only the manager handles the death of a worker. All tasks
     * must be done, if the manager and a worker live.
     */
    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldDoAllTasksWithTheRanksThatAreLeft() {
        MPI.Init(new String[0]);
        if (WORLD.getRank() == 0) {
            new BagOfTasks(WORLD, 12).manage();
        } else {
            try {
                BagOfTasks.work(WORLD);
            } catch (ProcFailedException managerDied) {
                assertThat(failedRanks(WORLD)).contains(0);
            }
        }
        MPI.Finalize();
    }

    /**
     * Shows that a probe finds a message, which can be received then, or raises PROC_FAILED when the named source has
     * failed.
     */
    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldReceiveWhatAProbeShowed() {
        MPI.Init(new String[0]);
        int rank = WORLD.getRank();
        int size = WORLD.getSize();
        int left = (rank + size - 1) % size;
        for (int round = 0; round < 6; round++) {
            try {
                WORLD.send(new int[round + 1], round + 1, MPI.INT, (rank + 1) % size, round);
            } catch (ProcFailedException death) {
                requireFailure(WORLD, death);
            }
            Status shown = probed(left, round);
            if (shown != null) {
                int count = shown.getCount(MPI.INT);
                assertThat(count).isEqualTo(round + 1);
                WORLD.recv(new int[count], count, MPI.INT, left, round);
            }
        }
        agreed(WORLD, true);
        MPI.Finalize();
    }

    private static Status probed(int source, int tag) {
        try {
            return WORLD.probe(source, tag);
        } catch (MPIException death) {
            requireFailure(WORLD, death);
            assertThat(failedRanks(WORLD)).contains(source);
            return null;
        }
    }
}
