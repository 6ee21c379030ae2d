package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Arrays;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/** Members that pass a revocation on by the shipped {@link ReliableBroadcast}, each call with a new instance. */
final class ShippedRevocation implements RevokeWave.Members {
    private static final long COMMUNICATOR = 1;

    private final Membership membership;

    /** The failures that a member knows: none in these runs, so that one empty set serves all members. */
    private final FailureSet failures = new FailureSet();

    private final Recipients recipients = new Recipients();

    ShippedRevocation(int size) {
        this.membership = Membership.initial(size);
    }

    @Override
    public int[] onFirst(int rank, int initiator) {
        ReliableBroadcast<ControlMessage.Revoke> broadcast =
                new ReliableBroadcast<>(new ProcessId(rank, 0), membership, failures);
        ControlMessage.Revoke revoke =
                new ControlMessage.Revoke(COMMUNICATOR, membership.epoch(), membership.slots(), initiator);
        recipients.count = 0;
        broadcast.spread(revoke, recipients);
        int sent = recipients.count;
        if (broadcast.spread(revoke, recipients) || recipients.count != sent) {
            throw new IllegalStateException("rank " + rank + " took a copy of a revocation for a new one");
        }
        return Arrays.copyOf(recipients.ranks, sent);
    }

    private static final class Recipients implements Outbox<ProcessId, ControlMessage.Revoke> {
        private final int[] ranks = new int[2 * Integer.SIZE];
        private int count;

        @Override
        public void send(ProcessId to, ControlMessage.Revoke message) {
            ranks[count++] = to.slot();
        }
    }
}
