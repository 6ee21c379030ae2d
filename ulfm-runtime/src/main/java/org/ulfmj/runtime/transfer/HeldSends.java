package org.ulfmj.runtime.transfer;

import java.util.ArrayDeque;

/**
 * What one rank has announced to another on a communicator, counted by the sender, and the sends that wait because it
 * may announce no more: all that are started after the first of them wait too, since messages keep their order. Under
 * the engine lock.
 *
 * @see OfferWindow
 */
final class HeldSends {
    final Peer to;
    private final ArrayDeque<SendOperation> waiting = new ArrayDeque<>();
    private long announced;
    private long allowed = OfferWindow.MESSAGES;

    HeldSends(Peer to) {
        this.to = to;
    }

    boolean mayAnnounce() {
        return announced < allowed;
    }

    void onAnnounced() {
        announced++;
    }

    /** The receiver allows this many announcements in all. */
    void allow(long total) {
        allowed = Math.max(allowed, total);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(SendOperation send) {
        waiting.addLast(send);
    }

    /** The oldest, or null; one that is done is an empty shell. */
    SendOperation first() {
        return waiting.peekFirst();
    }

    void removeFirst() {
        waiting.pollFirst();
    }

    /** All that wait are over, or about to be ended. */
    void clear() {
        waiting.clear();
    }
}
