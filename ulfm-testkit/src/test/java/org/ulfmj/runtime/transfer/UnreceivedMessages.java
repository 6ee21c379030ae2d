package org.ulfmj.runtime.transfer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Counts the messages that lie at a rank without a receive, from the queues themselves. In the package of the queues to
 * reach them.
 */
public final class UnreceivedMessages {
    private static final int DESCRIPTION_BYTES = 448;
    private static final int LEAST_PAYLOAD_BYTES = 64;

    private UnreceivedMessages() {}

    /**
     * Throws if a sender has more messages here without a receive than its credit and the limit of announcements allow.
     *
     * @param me the rank's process
     * @param mostAnnounced how many messages one sender may have announced on one communicator
     */
    public static void requireBounded(
            ProcessId me, List<? extends MessageContext> communicators, long creditBytes, int mostAnnounced) {
        Map<Peer, Long> whole = new HashMap<>();
        for (MessageContext communicator : communicators) {
            Map<Peer, Integer> announced = new HashMap<>();
            for (UnexpectedMessages messages : communicator.unexpected) {
                boolean isProgram = messages == communicator.unexpected[MessageKey.POINT_TO_POINT];
                for (UnexpectedMessage message = messages.oldest();
                        message != null;
                        message = messages.after(message)) {
                    if (!message.offered) {
                        whole.merge(message.from, costBytes(isProgram, message.lengthBytes), Long::sum);
                    } else if (isProgram) {
                        announced.merge(message.from, 1, Integer::sum);
                    }
                }
            }
            announced.forEach(
                    (from, count) -> require(me, count <= mostAnnounced, from, count + " announced messages"));
        }
        whole.forEach((from, bytes) -> require(me, bytes <= creditBytes, from, bytes + " bytes of messages"));
    }

    private static long costBytes(boolean isProgram, long lengthBytes) {
        if (!isProgram && lengthBytes == 0) {
            return 0;
        }
        long capacityBytes = LEAST_PAYLOAD_BYTES;
        while (capacityBytes < lengthBytes) {
            capacityBytes *= 2;
        }
        return DESCRIPTION_BYTES + capacityBytes;
    }

    private static void require(ProcessId me, boolean isRight, Peer from, String what) {
        if (!isRight) {
            throw new AssertionError(what + " of " + from + " lie at " + me);
        }
    }

    /** Returns the credit of messages between this rank and another rank of a communicator. */
    public static EagerCredit credit(Traffic traffic, MessageContext communicator, int rank) {
        return traffic.peers().of(communicator, rank).credit;
    }
}
