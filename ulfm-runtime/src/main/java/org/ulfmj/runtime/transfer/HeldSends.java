package org.ulfmj.runtime.transfer;

import java.util.ArrayDeque;

/**
 * The number of messages that this rank has announced to one peer on a communicator, and the sends to that peer that
 * wait because this rank may not announce more. A send that starts while others wait is held too, since messages keep
 * their order. Under the engine lock.
 *
 * @see OfferWindows.Window
 */
final class HeldSends {
    final Peer to;
    private final ArrayDeque<SendOperation> waiting = new ArrayDeque<>();
    private long announced;
    private long allowed = OfferWindows.Window.MESSAGES;

    HeldSends(Peer to) {
        this.to = to;
    }

    boolean mayAnnounce() {
        return announced < allowed;
    }

    void onAnnounced() {
        announced++;
    }

    /** Notes that the receiver allows this rank to make this many announcements in all, counted from the first. */
    void allow(long total) {
        allowed = Math.max(allowed, total);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(SendOperation send) {
        waiting.addLast(send);
    }

    /**
     * Returns the oldest held send, or null. A send that has ended meanwhile is still in the queue, without a payload.
     */
    SendOperation first() {
        return waiting.peekFirst();
    }

    void removeFirst() {
        waiting.pollFirst();
    }

    /** Drops all held sends, which have ended or are about to be ended. */
    void clear() {
        waiting.clear();
    }
}
