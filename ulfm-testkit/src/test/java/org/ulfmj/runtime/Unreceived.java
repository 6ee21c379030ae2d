package org.ulfmj.runtime;

import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.transfer.UnreceivedMessages;

/**
 * What lies at the calling thread's rank and has met no receive yet: the invariant of back-pressure, for programs in
 * simulated time, which run one thread at a time.
 */
public final class Unreceived {
    private Unreceived() {}

    /**
     * No sender has more here than credit allows.
     *
     * @param mostAnnounced how many messages one may have announced on one communicator
     */
    public static void requireBounded(long creditBytes, int mostAnnounced) {
        RankEngine engine = engine();
        UnreceivedMessages.requireBounded(engine.id(), engine.communicators().all(), creditBytes, mostAnnounced);
    }

    /** What this rank has sent to another of COMM_WORLD in all, as credit counts it. */
    public static long sentBytes(int rank) {
        return credit(rank).sentBytes();
    }

    /** What this rank has taken of another of COMM_WORLD in all. */
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
