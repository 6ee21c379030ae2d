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
 * Matched probes and buffered sends in simulated time, with deaths at any call of any rank. The content of a message
 * says which rank sent it and the how-manieth of that rank it is.
 */
class SimulatedMatchedProbesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int MESSAGES = 12;
    private static final int SHORT = 3;
    private static final int LONG = 1 << 15;
    private static final int TAG = 7;

    /**
     * Rank 0 matches messages by probes of any source and receives them later, some in another order. What it gets of
     * each sender is the beginning of what that sender sent, in order, each message once and whole, whichever sender
     * dies.
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
            List<Probed> kept = new ArrayList<>();
            while (probeOne(next, kept)) {
                if (kept.size() == SHORT) {
                    receive(kept);
                }
            }
            receive(kept);
            for (int sender = 1; sender < next.length; sender++) {
                boolean isDead = Programs.failedRanks(WORLD).length > 0;
                assertThat(next[sender]).isLessThanOrEqualTo(MESSAGES);
                assertThat(isDead || next[sender] == MESSAGES).isTrue();
            }
        }
        MPI.Finalize();
    }

    /** A message that was matched, as it was probed. */
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

    /** Matches the next message; returns false when all that will come have come. */
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

    /** Matches what is left of a dead sender, until nothing is or the next message has not come whole. */
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

    /** Receives the messages that were matched, the newest first. */
    private static void receive(List<Probed> kept) {
        for (int i = kept.size() - 1; i >= 0; i--) {
            Probed each = kept.get(i);
            int count = each.status().getCount(MPI.INT);
            int[] data = new int[count];
            try {
                Status status = each.message().mRecv(data, count, MPI.INT);
                assertThat(status.getSource()).isEqualTo(each.status().getSource());
                assertThat(data[0]).isEqualTo(status.getSource());
                assertThat(data[count - 1]).isEqualTo(each.number());
            } catch (ProcFailedException death) {
                assertThat(count).as("a short message has come whole").isEqualTo(LONG);
                assertThat(death.getFailedRanks()).contains(each.status().getSource());
            }
            assertThat(each.message().isNull()).isTrue();
        }
        kept.clear();
    }

    /** After a revocation a matched message is not received, and none of its senders waits for ever. */
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
