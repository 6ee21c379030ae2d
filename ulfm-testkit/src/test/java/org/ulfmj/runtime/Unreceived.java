package org.ulfmj.runtime;

import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.transfer.UnreceivedMessages;

/**
 * What programs in simulated time, which run one thread at a time, ask about back-pressure: whether too many messages
 * lie at the calling thread's rank without a receive, and how many bytes that rank has sent to another rank and taken
 * from it.
 */
public final class Unreceived {
    private Unreceived() {}

    /**
     * Throws if a sender has more messages at this rank without a receive than its credit and the limit of
     * announcements allow.
     *
     * @param mostAnnounced how many messages one sender may have announced on one communicator
     */
    public static void requireBounded(long creditBytes, int mostAnnounced) {
        RankEngine engine = engine();
        UnreceivedMessages.requireBounded(engine.id(), engine.communicators().all(), creditBytes, mostAnnounced);
    }

    /** Returns how many bytes this rank has sent to a rank of COMM_WORLD in all, as credit counts them. */
    public static long sentBytes(int rank) {
        return credit(rank).sentBytes();
    }

    /** Returns how many bytes sent by a rank of COMM_WORLD this rank has taken in all, as credit counts them. */
    public static long takenBytes(int rank) {
        return credit(rank).takenBytes();
    }

    private static EagerCredit credit(int rank) {
        CommunicatorState world = engine().communicators()
                .get(RankBinding.current().runtime().world().id());
        return UnreceivedMessages.credit(engine().traffic(), world, rank);
    }

    private static RankEngine engine() {
        return RankBinding.current().runtime().engine();
    }
}
