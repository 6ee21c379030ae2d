package org.ulfmj.check.exhaustive;

import java.util.Arrays;

/**
 * The contents of links. A content is a sequence of numbered messages on their way, and each different content has a
 * number, 0 for an empty link.
 */
final class Channels {
    static final int EMPTY = 0;

    private final LongTable table = new LongTable();
    private int[] buffer = new int[64];

    int append(int channel, int message) {
        return 1 + table.number((long) channel << 32 | message);
    }

    /** Returns the message that arrives next on a link with this content. */
    int head(int channel) {
        int at = channel;
        for (int prefix = prefix(at); prefix != EMPTY; prefix = prefix(at)) {
            at = prefix;
        }
        return last(at);
    }

    int withoutHead(int channel) {
        int count = read(channel);
        int left = EMPTY;
        for (int i = 1; i < count; i++) {
            left = append(left, buffer[i]);
        }
        return left;
    }

    /** Returns the messages of a content, in the order in which they arrive. */
    int[] messages(int channel) {
        return Arrays.copyOf(buffer, read(channel));
    }

    /** Returns the content without the messages that will certainly do nothing at a receiver now in this state. */
    int unsettled(int channel, LocalStates states, int receiver, int from, boolean senderEnded) {
        int count = read(channel);
        int left = EMPTY;
        for (int i = 0; i < count; i++) {
            if (!states.isSettled(receiver, from, senderEnded, buffer[i])) {
                left = append(left, buffer[i]);
            }
        }
        return left;
    }

    private int read(int channel) {
        int count = 0;
        for (int at = channel; at != EMPTY; at = prefix(at)) {
            count++;
        }
        if (count > buffer.length) {
            buffer = new int[2 * count];
        }
        int at = channel;
        for (int i = count - 1; i >= 0; i--) {
            buffer[i] = last(at);
            at = prefix(at);
        }
        return count;
    }

    private int prefix(int channel) {
        return (int) (table.value(channel - 1) >>> 32);
    }

    private int last(int channel) {
        return (int) table.value(channel - 1);
    }
}
