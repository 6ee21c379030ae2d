package org.ulfmj.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Messages of one communicator that wait for their receive, found by exact or wildcard (source, tag) in order of
 * arrival. The three wildcard views are built when the first wildcard asks: most programs never pay for them.
 */
final class UnexpectedMessages {
    private static final int ANY = Communicator.ANY_SOURCE;

    private final KeyedQueues<UnexpectedMessage> queues = new KeyedQueues<>();
    /** Arrival order, while no wildcard was asked for; afterwards the queue of the widest wildcard has it. */
    private boolean wildcardsIndexed;

    private int count;
    private long nextOrder;

    int size() {
        return count;
    }

    void add(UnexpectedMessage message) {
        message.order = nextOrder++;
        queues.append(KeyedQueues.key(message.source, message.tag), message.exact);
        queues.append(KeyedQueues.key(ANY, ANY), message.anything);
        if (wildcardsIndexed) {
            index(message);
        }
        count++;
    }

    /**
     * The oldest message that a receive for (source, tag) would take, or null. It stays. A receive that names the source of
     * a lost message finds that one; one from any source finds neither it nor what it would have to overtake for that.
     */
    UnexpectedMessage first(int source, int tag) {
        if (count == 0) {
            return null;
        }
        if (!wildcardsIndexed && (source == ANY) != (tag == ANY)) {
            indexAll();
        }
        UnexpectedMessage message = queues.first(KeyedQueues.key(source, tag));
        if (source == ANY && tag == ANY) {
            while (message != null && message.isBehindLost()) {
                message = queues.after(message.anything);
            }
        } else if (source == ANY) {
            while (message != null && message.isBehindLostOfTag()) {
                message = queues.after(message.anySource);
            }
        }
        return message;
    }

    /**
     * The sender is gone: what it only offered is lost. The offers keep their places, so that no later message of the same
     * sender is received in their stead.
     */
    void loseOffersOf(Peer gone) {
        LostOffers offers = null;
        for (UnexpectedMessage message = oldest(); message != null; message = after(message)) {
            if (message.from == gone) {
                if (offers == null) {
                    offers = new LostOffers();
                }
                message.lostOffers = offers;
                message.lost = message.offered;
                message.lostMark = message.lost ? offers.add(message.order, message.tag) : null;
            }
        }
    }

    /** The oldest of all, or null. */
    UnexpectedMessage oldest() {
        return queues.first(KeyedQueues.key(ANY, ANY));
    }

    /** The next of all after this one, in order of arrival, or null. */
    UnexpectedMessage after(UnexpectedMessage message) {
        return queues.after(message.anything);
    }

    void remove(UnexpectedMessage message) {
        if (message.lostMark != null) {
            message.lostMark.meet();
        }
        queues.remove(message.exact);
        queues.remove(message.anySource);
        queues.remove(message.anyTag);
        queues.remove(message.anything);
        count--;
    }

    private void index(UnexpectedMessage message) {
        queues.append(KeyedQueues.key(ANY, message.tag), message.anySource);
        queues.append(KeyedQueues.key(message.source, ANY), message.anyTag);
    }

    private void indexAll() {
        wildcardsIndexed = true;
        Deque<UnexpectedMessage> inOrder = new ArrayDeque<>();
        for (UnexpectedMessage message = oldest(); message != null; message = oldest()) {
            queues.remove(message.anything);
            inOrder.add(message);
        }
        for (UnexpectedMessage message : inOrder) {
            queues.append(KeyedQueues.key(ANY, ANY), message.anything);
            index(message);
        }
    }
}
