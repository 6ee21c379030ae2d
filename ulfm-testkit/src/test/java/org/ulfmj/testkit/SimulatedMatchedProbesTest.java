package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.ProcFailedException;
import mpi.RevokedException;
import mpi.Status;
import org.ulfmj.testkit.junit.SimulatedMpi;

/**
 * Tests matched probes and buffered sends in simulated time, with deaths at any call of any rank. Each message that is
 * to be received contains the rank of its sender and its number among that sender's messages.
 */
class SimulatedMatchedProbesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int MESSAGES = 12;
    private static final int SHORT = 3;
    private static final int LONG = 1 << 15;
    private static final int TAG = 7;

    /**
     * Rank 0 takes messages by matched probes and receives them later, the newest first. Whichever sender dies, rank 0
     * must find the messages of each sender in order, each once and without a gap; only the receive of a long message
     * may fail, if its sender has died.
     */
    @SimulatedMpi(ranks = 4, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldGiveEachMessageOnceAndInOrderUnderAnyDeaths() {
        MPI.Init(new String[0]);
        if (WORLD.getRank() != 0) {
            try {
                sendAll();
            } catch (ProcFailedException death) {
                assertThat(death.getFailedRanks()).contains(0);
            }
        } else {
            int[] next = new int[WORLD.getSize()];
            int[] received = new int[WORLD.getSize()];
            List<Probed> kept = new ArrayList<>();
            while (probeOne(next, kept)) {
                if (kept.size() == SHORT) {
                    receive(kept, received);
                }
            }
            receive(kept, received);
            for (int sender = 1; sender < received.length; sender++) {
                requireNoneMissing(sender, received[sender]);
            }
        }
        MPI.Finalize();
    }

    /** A message that a matched probe has taken, the status of that probe, and the message's expected number. */
    private record Probed(Message message, Status status, int number) {}

    private static void sendAll() {
        MPI.attachBuffer(new byte[MESSAGES * (LONG * Integer.BYTES + MPI.BSEND_OVERHEAD)]);
        for (int i = 0; i < MESSAGES; i++) {
            int count = i % 3 == 2 ? LONG : SHORT;
            int[] data = new int[count];
            data[0] = WORLD.getRank();
            data[count - 1] = i;
            WORLD.bSend(data, count, MPI.INT, 0, TAG);
        }
    }

    /**
     * Takes the next message by a matched probe of any source; after a failure it first takes all messages of the
     * failed ranks. Returns false when rank 0 has got all messages that will come.
     */
    private static boolean probeOne(int[] next, List<Probed> kept) {
        while (true) {
            if (isComplete(next)) {
                return false;
            }
            Message message = new Message();
            try {
                Status status = message.mProbe(MPI.ANY_SOURCE, TAG, WORLD);
                kept.add(new Probed(message, status, next[status.getSource()]++));
                return true;
            } catch (ProcFailedException death) {
                assertThat(message.isNull()).isTrue();
                for (int failed : Programs.failedRanks(WORLD)) {
                    drain(failed, next, kept);
                }
                WORLD.ackFailed();
            }
        }
    }

    private static boolean isComplete(int[] next) {
        for (int sender = 1; sender < next.length; sender++) {
            if (next[sender] < MESSAGES) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes the messages of a dead sender by matched probes, until a probe raises PROC_FAILED; then counts all messages
     * of this sender as taken.
     */
    private static void drain(int sender, int[] next, List<Probed> kept) {
        try {
            while (true) {
                Message message = new Message();
                Status status = message.mProbe(sender, TAG, WORLD);
                kept.add(new Probed(message, status, next[sender]++));
            }
        } catch (ProcFailedException noMore) {
            next[sender] = MESSAGES;
        }
    }

    /**
     * Requires that all messages of a sender were received and that there is no further one; of a sender that has died,
     * messages may be missing.
     */
    private static void requireNoneMissing(int sender, int received) {
        try {
            assertThat(WORLD.iProbe(sender, TAG)).as("one more message").isNull();
            assertThat(received).isEqualTo(MESSAGES);
        } catch (ProcFailedException death) {
            assertThat(received).isLessThanOrEqualTo(MESSAGES);
        }
    }

    /** Receives the messages that were matched, the newest first, and counts by sender those that came. */
    private static void receive(List<Probed> kept, int[] received) {
        for (int i = kept.size() - 1; i >= 0; i--) {
            Probed each = kept.get(i);
            int count = each.status().getCount(MPI.INT);
            int[] data = new int[count];
            try {
                Status status = each.message().mRecv(data, count, MPI.INT);
                assertThat(status.getSource()).isEqualTo(each.status().getSource());
                assertThat(data[0]).isEqualTo(status.getSource());
                assertThat(data[count - 1]).isEqualTo(each.number());
                received[status.getSource()]++;
            } catch (ProcFailedException death) {
                assertThat(count).as("a short message has come whole").isEqualTo(LONG);
                assertThat(death.getFailedRanks()).contains(each.status().getSource());
            }
            assertThat(each.message().isNull()).isTrue();
        }
        kept.clear();
    }

    /**
     * Shows that a message which a matched probe has taken cannot be received after its communicator is revoked, and
     * that no sender waits for ever.
     */
    @SimulatedMpi(ranks = 3, seeds = 60, faults = "kill:rank=any(1)@op=*")
    void shouldReceiveNothingAfterARevocation() {
        MPI.Init(new String[0]);
        Intracomm comm = null;
        try {
            comm = WORLD.dup();
            if (WORLD.getRank() == 0) {
                Message message = new Message();
                message.mProbe(MPI.ANY_SOURCE, TAG, comm);
                comm.revoke();
                int[] data = new int[LONG];
                try {
                    message.mRecv(data, LONG, MPI.INT);
                    throw new AssertionError("received on a revoked communicator");
                } catch (RevokedException expected) {
                    assertThat(data).containsOnly(0);
                }
            } else {
                comm.sSend(new int[LONG], WORLD.getRank() == 1 ? LONG : SHORT, MPI.INT, 0, TAG);
            }
        } catch (ProcFailedException | RevokedException over) {
            if (comm != null) {
                comm.revoke();
            }
        }
        MPI.Finalize();
    }
}
