package org.ulfmj.runtime;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The messages that a sender which is gone had only offered on one communicator, in order of their arrival. They keep later messages of
 * the same sender from being received in their stead, until each is met by a receive that names their source. Any number of
 * them is worked off in steps that cost the same: each of them is taken from the head of a line once.
 */
final class LostOffers {
    /** A lost offer's place, which outlives its message. */
    static final class Mark {
        private final long order;
        private boolean isMet;

        private Mark(long order) {
            this.order = order;
        }

        /** A receive has met it. */
        void meet() {
            isMet = true;
        }
    }

    private final ArrayDeque<Mark> all = new ArrayDeque<>();
    private final Map<Integer, ArrayDeque<Mark>> byTag = new HashMap<>();

    /** The next in order of arrival. */
    Mark add(long order, int tag) {
        Mark mark = new Mark(order);
        all.addLast(mark);
        byTag.computeIfAbsent(tag, any -> new ArrayDeque<>()).addLast(mark);
        return mark;
    }

    /** Whether a message of this sender is lost, or came after one that is. */
    boolean covers(long order) {
        return covers(all, order);
    }

    /** The same among those with its tag. */
    boolean coversOfTag(long order, int tag) {
        ArrayDeque<Mark> line = byTag.get(tag);
        return line != null && covers(line, order);
    }

    private static boolean covers(ArrayDeque<Mark> line, long order) {
        Mark first = line.peekFirst();
        while (first != null && first.isMet) {
            line.pollFirst();
            first = line.peekFirst();
        }
        return first != null && first.order <= order;
    }
}
