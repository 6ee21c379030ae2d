package org.ulfmj.runtime.transfer;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.runtime.message.MessageKey;

/**
 * How many messages each source may announce on one communicator, and which sources have used that up. Under the engine
 * lock.
 */
final class OfferWindows {
    /**
     * How many messages one rank may announce to another on a communicator, as the receiver counts them. An
     * announcement that waits for its receive takes memory, so their number is limited: the sender may have announced
     * up to {@link #MESSAGES} more than were matched or came whole later. Once it has used that up, it gets more each
     * time that a receive or probe of the receiver looks in vain for a message of this sender, since the sender may be
     * holding that message back. Both sides count from the first announcement, so a repeated or late grant does no
     * harm.
     */
    static final class Window {
        static final int MESSAGES = 4096;

        final Peer from;
        final int source;

        /** Whether {@link OfferWindows} has this window in its list of used-up ones. */
        boolean isListed;

        private long heard;
        private long taken;
        private long granted = MESSAGES;

        Window(Peer from, int source) {
            this.from = from;
            this.source = source;
        }

        /** An announcement arrived. */
        void onHeard() {
            heard++;
        }

        /**
         * Counts an announced message that was matched, or that came whole before it was matched. Returns true if it is
         * time to send {@link #grantTaken} to the sender.
         */
        boolean onTaken() {
            taken++;
            return taken + MESSAGES - granted >= MESSAGES / 2;
        }

        /**
         * Whether the sender has made all the announcements that it may make. It may then be holding back the message
         * that a receive waits for.
         */
        boolean isUsedUp() {
            return heard >= granted;
        }

        /**
         * Allows at least {@link #MESSAGES} more announcements than {@link #onTaken} has counted so far. Returns how
         * many the sender may make in all.
         */
        long grantTaken() {
            granted = Math.max(granted, taken + MESSAGES);
            return granted;
        }

        /**
         * Allows {@link #MESSAGES} more announcements than have arrived so far, because a receive or probe finds no
         * message among them. Returns how many the sender may make in all.
         */
        long grantMore() {
            granted = heard + MESSAGES;
            return granted;
        }
    }

    private final Int2ObjectHashMap<Window> bySource = new Int2ObjectHashMap<>();
    private final List<Window> usedUp = new ArrayList<>();

    /**
     * Counts an announcement of this source that has just arrived; called before the message is matched. Returns the
     * source's window.
     */
    Window onHeard(Peer from, int source) {
        Window window = bySource.get(source);
        if (window == null) {
            window = new Window(from, source);
            bySource.put(source, window);
        }
        window.onHeard();
        if (window.isUsedUp() && !window.isListed) {
            window.isListed = true;
            usedUp.add(window);
        }
        return window;
    }

    /** Returns the window of a source that has announced something before. */
    Window of(int source) {
        return bySource.get(source);
    }

    /**
     * Removes and returns a used-up window of this source, or of any source if it is the wildcard, so that its sender
     * can be allowed more. Null if there is none.
     */
    Window takeUsedUp(int source) {
        for (int i = 0; i < usedUp.size(); i++) {
            Window window = usedUp.get(i);
            boolean isUsedUp = window.isUsedUp();
            if (!isUsedUp || source == MessageKey.ANY_SOURCE || source == window.source) {
                usedUp.remove(i--);
                window.isListed = false;
            }
            if (isUsedUp && !window.isListed) {
                return window;
            }
        }
        return null;
    }

    boolean hasUsedUp() {
        return !usedUp.isEmpty();
    }
}
