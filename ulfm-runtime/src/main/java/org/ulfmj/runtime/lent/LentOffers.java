package org.ulfmj.runtime.lent;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * The offers between this rank and one peer: of messages in lent memory, and of messages without credit.
 *
 * <p>To the peer: whether a message in lent memory that may go whole is to be offered first. Such a message that waits
 * too long is sent whole. Then the next two such messages go whole without an offer. That number doubles with each one
 * that waits too long, up to 64. It starts again when the peer copies one. From the peer: what each offer has become at
 * this rank, a message that waits or a receive. An offered message may still come whole, under the same number. Under
 * the engine lock.
 */
public final class LentOffers {
    private static final int MOST_SKIPPED = 64;

    private int skipped = 1;
    private int toSkip;
    /** The number of the offer that the peer copied last; 0 if none. */
    private long copiedId;

    private long copiedNs;
    /**
     * The peer's offers, by the number that the peer has given each: the object is the message that waits here, or the
     * receive that takes it.
     */
    private Long2ObjectHashMap<Object> incoming;

    public boolean isWorthIt() {
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        return true;
    }

    public void onCopied(long id, long nowNs) {
        skipped = 1;
        copiedId = id;
        copiedNs = nowNs;
    }

    /**
     * Returns the moment from which the patience of this rank for an offer to the peer counts. It is the moment at
     * which the peer copied an older offer, if that is later than the offer itself: such a peer is busy copying, and is
     * not to be hurried. A peer that copies newer offers may never come to this offer.
     */
    public long laterOf(long id, long offeredNs) {
        boolean isAtOlder = copiedId != 0 && copiedId < id;
        return isAtOlder && copiedNs - offeredNs > 0 ? copiedNs : offeredNs;
    }

    public void onPushed() {
        skipped = Math.min(2 * skipped, MOST_SKIPPED);
        toSkip = skipped;
    }

    /**
     * Notes what an offer of the peer has become at this rank: a message that waits for its receive, or, later, that
     * receive.
     */
    public void put(long senderId, Object became) {
        if (incoming == null) {
            incoming = new Long2ObjectHashMap<>();
        }
        incoming.put(senderId, became);
    }

    /** Returns the message or receive that the peer's offer of this number has become; null if the offer is over. */
    public Object get(long senderId) {
        return incoming == null ? null : incoming.get(senderId);
    }

    public void remove(long senderId) {
        if (incoming != null) {
            incoming.remove(senderId);
        }
    }
}
