package org.ulfmj.runtime.lent;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * The offers of lent memory, and of messages without credit, between this rank and one peer.
 *
 * <p>To it: whether messages that might go whole are worth offering. A peer that let one wait, because it computes,
 * gets the next ones whole; this many more each time, until it copies one in time again. From it: what each became
 * here, for one that was offered may come whole later, under the same number. Under the engine lock.
 */
public final class LentOffers {
    private static final int MOST_SKIPPED = 64;

    private int skipped = 1;
    private int toSkip;
    /** The offer that the peer copied last; 0 if none. */
    private long copiedId;

    private long copiedNs;
    /** Messages or receives, by the peer's number. */
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
     * Since when an offer waits: a peer that has just copied an older one is at it, and is not to be hurried. Of one
     * that copies newer ones no rank knows when it will come to this: it could be never.
     */
    public long laterOf(long id, long offeredNs) {
        boolean isAtOlder = copiedId != 0 && copiedId < id;
        return isAtOlder && copiedNs - offeredNs > 0 ? copiedNs : offeredNs;
    }

    public void onPushed() {
        skipped = Math.min(2 * skipped, MOST_SKIPPED);
        toSkip = skipped;
    }

    /** An offer is a message that waits for its receive, or, later, a receive. */
    public void put(long senderId, Object became) {
        if (incoming == null) {
            incoming = new Long2ObjectHashMap<>();
        }
        incoming.put(senderId, became);
    }

    /** What the offer of this number is, or null if it is over. */
    public Object get(long senderId) {
        return incoming == null ? null : incoming.get(senderId);
    }

    public void remove(long senderId) {
        if (incoming != null) {
            incoming.remove(senderId);
        }
    }
}
