package org.ulfmj.runtime.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.ulfmj.runtime.message.KeyedQueues;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Messages of one communicator that wait for their receive, found by exact or wildcard (source, tag) in order of
 * arrival; those of the program and those of collective operations are in two such objects. The queues for one wildcard
 * are built at the first search with just one wildcard, or at the first lost offer: without these they need not be
 * maintained.
 */
final class UnexpectedMessages {
    private static final int ANY = MessageKey.ANY_SOURCE;
    /** The key of the queue of all messages of {@link #gone} processes, used where other queues have a source. */
    private static final int GONE = ANY - 1;

    private final KeyedQueues<UnexpectedMessage> queues = new KeyedQueues<>();
    private boolean wildcardsIndexed;

    /**
     * Ranks of senders that have failed or departed, and of which an offered message was lost here; only as long as
     * some of their messages are left. These share no queue with messages of other senders than these ranks.
     */
    private int[] gone = {};

    private int count;
    private long nextOrder;

    int size() {
        return count;
    }

    /** Returns how often searches have looked into a queue so far, for tests. */
    long looks() {
        return queues.looks();
    }

    void add(UnexpectedMessage message) {
        message.order = nextOrder++;
        queues.append(KeyedQueues.key(message.source, message.tag), message.exact);
        if (isGone(message.source)) {
            queues.append(KeyedQueues.key(GONE, ANY), message.anything);
            queues.append(KeyedQueues.key(message.source, ANY), message.anyTag);
        } else {
            queues.append(KeyedQueues.key(ANY, ANY), message.anything);
            if (wildcardsIndexed) {
                index(message);
            }
        }
        count++;
    }

    /**
     * Returns the oldest message that a receive for (source, tag) would take, or null; the message stays in its queue.
     * A receive that names the source of a lost message finds the lost message. A receive from any source finds neither
     * a lost message nor one that would overtake a lost message of the same sender.
     */
    UnexpectedMessage first(int source, int tag) {
        if (count == 0) {
            return null;
        }
        if (!wildcardsIndexed && (source == ANY) != (tag == ANY)) {
            indexAll();
        }
        UnexpectedMessage message = queues.first(KeyedQueues.key(source, tag));
        return source == ANY && gone.length > 0 ? orOfTheGone(message, tag) : message;
    }

    /**
     * Returns the older one of the given message and the oldest message of the {@link #gone} senders. For each of these
     * senders only its first message with the tag counts, and only if that message is not lost.
     */
    private UnexpectedMessage orOfTheGone(UnexpectedMessage ofOthers, int tag) {
        UnexpectedMessage oldest = ofOthers;
        for (int source : gone) {
            UnexpectedMessage message = queues.first(KeyedQueues.key(source, tag));
            if (message != null && !message.lost && (oldest == null || message.order < oldest.order)) {
                oldest = message;
            }
        }
        return oldest;
    }

    /**
     * Marks the offers of a sender that has failed or departed as lost. The offers keep their places, so that no later
     * message of the same sender is received in their stead. From now on a receive from any source looks only at the
     * first fitting message of this sender, however many lost ones there are.
     */
    void loseOffersOf(Peer sender) {
        List<UnexpectedMessage> sent = new ArrayList<>();
        boolean isLoss = false;
        UnexpectedMessage message = queues.first(KeyedQueues.key(ANY, ANY));
        for (; message != null; message = queues.after(message.anything)) {
            if (message.from == sender) {
                sent.add(message);
                message.lost = message.offered;
                isLoss |= message.lost;
            }
        }
        if (!isLoss) {
            return;
        }
        if (!wildcardsIndexed) {
            indexAll();
        }
        gone = Arrays.copyOf(gone, gone.length + 1);
        gone[gone.length - 1] = sent.get(0).source;
        for (UnexpectedMessage each : sent) {
            queues.remove(each.anySource);
            queues.remove(each.anything);
            queues.append(KeyedQueues.key(GONE, ANY), each.anything);
        }
    }

    private boolean isGone(int source) {
        for (int each : gone) {
            if (each == source) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the oldest message, or null if there is none. Messages of the {@link #gone} senders come after all
     * others.
     */
    UnexpectedMessage oldest() {
        UnexpectedMessage oldestOfOthers = queues.first(KeyedQueues.key(ANY, ANY));
        return oldestOfOthers != null ? oldestOfOthers : queues.first(KeyedQueues.key(GONE, ANY));
    }

    /**
     * Returns the message that follows the given one in the order of {@link #oldest}: messages of senders that are gone
     * come last. Null if none follows.
     */
    UnexpectedMessage after(UnexpectedMessage message) {
        UnexpectedMessage next = queues.after(message.anything);
        return next != null || isGone(message.source) ? next : queues.first(KeyedQueues.key(GONE, ANY));
    }

    void remove(UnexpectedMessage message) {
        queues.remove(message.exact);
        queues.remove(message.anySource);
        queues.remove(message.anyTag);
        queues.remove(message.anything);
        count--;
        if (gone.length > 0 && queues.first(KeyedQueues.key(message.source, ANY)) == null) {
            int source = message.source;
            gone = Arrays.stream(gone).filter(each -> each != source).toArray();
        }
    }

    private void index(UnexpectedMessage message) {
        queues.append(KeyedQueues.key(ANY, message.tag), message.anySource);
        queues.append(KeyedQueues.key(message.source, ANY), message.anyTag);
    }

    private void indexAll() {
        wildcardsIndexed = true;
        Deque<UnexpectedMessage> inOrder = new ArrayDeque<>();
        UnexpectedMessage next = queues.first(KeyedQueues.key(ANY, ANY));
        for (; next != null; next = queues.first(KeyedQueues.key(ANY, ANY))) {
            queues.remove(next.anything);
            inOrder.add(next);
        }
        for (UnexpectedMessage message : inOrder) {
            queues.append(KeyedQueues.key(ANY, ANY), message.anything);
            index(message);
        }
    }
}
