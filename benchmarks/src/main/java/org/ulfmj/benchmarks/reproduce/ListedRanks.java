package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.SlotSet;

/**
 * How many ranks a message of an agreement lists, and the time to go through them: sorted lists are merged, in the
 * cache. Without that time, lists of a thousand failures would cost only their bytes. The time is our choice and no
 * published figure, so a row that is judged must say if its result depends on it.
 */
final class ListedRanks {
    /** Nanoseconds per listed rank, at the receiver. */
    static final double NS_EACH = 1;

    /** No time per listed rank, to see the protocol without the influence of our choice. */
    static final double FREE = 0;

    private ListedRanks() {}

    static int of(ControlMessage message) {
        if (message instanceof ControlMessage.Up up) {
            return size(up.value().failed()) + size(up.value().acknowledged()) + size(up.fenced());
        }
        if (message instanceof ControlMessage.Down down) {
            return size(down.decision().failed());
        }
        if (message instanceof ControlMessage.NextRound next) {
            return size(next.failed());
        }
        return 0;
    }

    private static int size(SlotSet listed) {
        return listed.isAll() ? 0 : listed.size();
    }
}
