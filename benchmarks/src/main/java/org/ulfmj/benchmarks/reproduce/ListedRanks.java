package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.SlotSet;

/**
 * How many ranks a message of an agreement lists, and what it costs to go through them: sorted lists are merged, in the
 * cache. Without it lists of a thousand failures would be free. What it costs is our choice, not a published figure, so
 * no row that is judged may hang on it without saying so.
 */
final class ListedRanks {
    /** For each of them, at the receiver. */
    static final double NS_EACH = 1;

    /** To see what the protocol does where no choice of ours decides. */
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
