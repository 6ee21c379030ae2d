package org.ulfmj.runtime.transfer;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.runtime.message.MessageKey;

/**
 * The windows of announcements of one communicator, by source, and which of them are used up: the used-up ones are
 * looked at when a receive or probe finds no message. Under the engine lock.
 */
final class OfferWindows {
    /**
     * How many messages one rank may announce to another on a communicator, counted by the receiver. Announcements that
     * wait for their receive take memory, so their number is bounded: the sender may have {@link #MESSAGES} more
     * announced than were taken, and as many again each time that the receiver looks in vain for a message of this
     * sender: that message may be among those that the sender has kept back. Both sides count from the start, so that a
     * repeated or late grant does no harm.
     */
    static final class Window {
        static final int MESSAGES = 4096;

        final Peer from;
        final int source;

        /** Whether the {@link OfferWindows} list this window as used up. */
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

        /** An announced message was matched; true if it is time to tell the sender {@link #grantTaken}. */
        boolean onTaken() {
            taken++;
            return taken + MESSAGES - granted >= MESSAGES / 2;
        }

        /**
         * Whether the sender may announce no more. Then it may be keeping back the message that a receive waits for.
         */
        boolean isUsedUp() {
            return heard >= granted;
        }

        /** Allows {@link #MESSAGES} announcements more than were taken. Returns how many the sender may make in all. */
        long grantTaken() {
            granted = Math.max(granted, taken + MESSAGES);
            return granted;
        }

        /**
         * Allows {@link #MESSAGES} announcements more than arrived, for a receive that finds no message among them.
         * Returns how many the sender may make in all.
         */
        long grantMore() {
            granted = heard + MESSAGES;
            return granted;
        }
    }

    private final Int2ObjectHashMap<Window> bySource = new Int2ObjectHashMap<>();
    private final List<Window> usedUp = new ArrayList<>();

    /** An announcement of this source arrived, before it is matched. */
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

    /** The window of a source that has announced something. */
    Window of(int source) {
        return bySource.get(source);
    }

    /**
     * Takes out a used-up window of this source, or of any source, so that its sender can be allowed more. Null if
     * there is none.
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
