package org.ulfmj.runtime;

import java.util.HashMap;
import java.util.Map;
import org.ulfmj.runtime.message.MessageKey;

/**
 * What lies at the calling thread's rank and has met no receive yet, counted anew from what is there: the invariant of
 * back-pressure, for programs in simulated time, which run one thread at a time.
 */
public final class Unreceived {
    private static final int DESCRIPTION_BYTES = 448;
    private static final int LEAST_PAYLOAD_BYTES = 64;

    private Unreceived() {}

    /**
     * No sender has more here than credit allows.
     *
     * @param mostAnnounced how many messages one may have announced on one communicator
     */
    public static void requireBounded(long creditBytes, int mostAnnounced) {
        Map<Peer, Long> whole = new HashMap<>();
        for (CommunicatorState communicator : engine().communicators().all()) {
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
            announced.forEach((from, count) -> require(count <= mostAnnounced, from, count + " announced messages"));
        }
        whole.forEach((from, bytes) -> require(bytes <= creditBytes, from, bytes + " bytes of messages"));
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

    private static void require(boolean isRight, Peer from, String what) {
        if (!isRight) {
            throw new AssertionError(what + " of " + from + " lie at " + engine().id());
        }
    }

    /** What this rank has sent to another of COMM_WORLD in all, as credit counts it. */
    public static long sentBytes(int rank) {
        return peer(rank).credit.sentBytes();
    }

    /** What this rank has taken of another of COMM_WORLD in all. */
    public static long takenBytes(int rank) {
        return peer(rank).credit.takenBytes();
    }

    private static Peer peer(int rank) {
        CommunicatorState world = engine().communicators()
                .get(RankBinding.current().runtime().world().id());
        return engine().peers().of(world, rank);
    }

    private static RankEngine engine() {
        return RankBinding.current().runtime().engine();
    }
}
