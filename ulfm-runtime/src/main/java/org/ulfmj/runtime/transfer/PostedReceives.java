package org.ulfmj.runtime.transfer;

import java.util.Arrays;
import org.ulfmj.runtime.message.KeyedQueues;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Receives of one communicator that wait for their message; those of the program and those of collective operations are
 * in two such objects. A message goes to the oldest receive that fits it, whether that one names a source and tag or
 * uses wildcards.
 */
final class PostedReceives {
    private static final int ANY = MessageKey.ANY_SOURCE;

    private final KeyedQueues<ReceiveOperation> queues = new KeyedQueues<>();
    private long nextOrder;
    private int anySourceCount;
    private int anyTagCount;
    /** How many posted receives name each source, by that source. */
    private int[] named = new int[0];

    int size() {
        return queues.size();
    }

    void post(ReceiveOperation receive) {
        receive.order = nextOrder++;
        queues.append(KeyedQueues.key(receive.wantedSource, receive.wantedTag), receive.posted);
        count(receive, 1);
    }

    void remove(ReceiveOperation receive) {
        if (receive.posted.isQueued()) {
            queues.remove(receive.posted);
            count(receive, -1);
        }
    }

    /** Removes and returns the oldest receive that fits a message of this source and tag, or null. */
    ReceiveOperation match(int source, int tag) {
        ReceiveOperation oldest = queues.first(KeyedQueues.key(source, tag));
        if (anySourceCount > 0) {
            oldest = older(oldest, queues.first(KeyedQueues.key(ANY, tag)));
        }
        if (anyTagCount > 0) {
            oldest = older(oldest, queues.first(KeyedQueues.key(source, ANY)));
            oldest = older(oldest, queues.first(KeyedQueues.key(ANY, ANY)));
        }
        if (oldest != null) {
            remove(oldest);
        }
        return oldest;
    }

    /** Whether a posted receive waits for some message of this source, by name or by wildcard. */
    boolean awaits(int source) {
        return anySourceCount > 0 || source < named.length && named[source] > 0;
    }

    private void count(ReceiveOperation receive, int change) {
        if (receive.wantedSource == ANY) {
            anySourceCount += change;
        } else {
            if (receive.wantedSource >= named.length) {
                named = Arrays.copyOf(named, Math.max(receive.wantedSource + 1, 2 * named.length));
            }
            named[receive.wantedSource] += change;
        }
        anyTagCount += receive.wantedTag == ANY ? change : 0;
    }

    private static ReceiveOperation older(ReceiveOperation one, ReceiveOperation other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.order < other.order ? one : other;
    }
}
