package org.ulfmj.runtime.transfer;

import java.util.ArrayDeque;

/**
 * How many messages this rank has announced to one peer on a communicator, and the sends that wait because this rank
 * may announce no more. A send that is started while others wait waits too, since messages keep their order. Under the
 * engine lock.
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

    /** The receiver lets this rank make this many announcements in all. */
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
     * The oldest send that waits, or null. A send that has ended meanwhile is still in the queue, without a payload.
     */
    SendOperation first() {
        return waiting.peekFirst();
    }

    void removeFirst() {
        waiting.pollFirst();
    }

    /** Forgets all sends that wait: they are over, or about to be ended. */
    void clear() {
        waiting.clear();
    }
}
