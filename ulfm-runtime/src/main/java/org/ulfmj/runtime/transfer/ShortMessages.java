package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;

/**
 * Calls for short messages between ranks of a host, by the {@linkplain ShortPath short path}: a message that may be
 * sent at once goes straight into the lane, and a receive takes the next message of its sender's lane. A blocking call
 * needs no operation object for that, and the operation of a non-blocking send is done when the call returns. A case
 * that is not so simple is declined before a message was sent or taken, and the call goes on through {@link Transfers},
 * with the same result. Under the engine lock.
 */
public final class ShortMessages {
    /** Returned in place of a length if the call must go on through {@link Transfers}. */
    public static final int DECLINED = -1;

    private final Peers peers;
    private final Fabric fabric;
    private final Notices notices;
    private final Transfers transfers;
    private final Engine engine;
    private final Progress progress;
    private final NextMessage awaited = new NextMessage();
    /** The length in bytes of the longest message that may be sent on the short path. */
    private final long mostBytes;

    private int receivedTag;

    ShortMessages(
            Peers peers,
            Fabric fabric,
            Notices notices,
            Transfers transfers,
            Engine engine,
            Progress progress,
            int eagerLimitBytes) {
        this.peers = peers;
        this.fabric = fabric;
        this.notices = notices;
        this.transfers = transfers;
        this.engine = engine;
        this.progress = progress;
        this.mostBytes = Math.min(ShortPath.MAX_BYTES, eagerLimitBytes);
    }

    /** Sends a message on the short path if it can go at once. Returns whether it has left. */
    public boolean send(MessageContext communicator, Payload message, int dest, int tag) {
        long lengthBytes = message.lengthBytes();
        if (lengthBytes > mostBytes || communicator.revoked) {
            return false;
        }
        Peer peer = communicator.peer(peers, dest);
        // A message that waits for room, or until it may be announced, must go before this one.
        if (!isReachable(peer) || !peer.envelopes.isEmpty() || !peer.held.isEmpty()) {
            return false;
        }
        long costBytes = EagerCredit.costBytes(MessageKey.POINT_TO_POINT, lengthBytes);
        if (!peer.credit.allows(costBytes)
                || !peer.shortPath.send(MessageKey.POINT_TO_POINT, communicator.id, communicator.rank, tag, message)) {
            return false;
        }
        peer.credit.onSent(costBytes);
        return true;
    }

    /**
     * Sends a message by the short path if it can go at once, and returns the operation, which is done. Null if nothing
     * was sent: the send must be made by way of {@link Transfers}.
     */
    public Operation startSend(MessageContext communicator, Payload message, int dest, int tag, SendMode mode) {
        if (mode == SendMode.SYNCHRONOUS || !send(communicator, message, dest, tag)) {
            return null;
        }
        return transfers.sent(communicator, communicator.peer(peers, dest), dest, tag);
    }

    /**
     * Receives a short message on the short path, and waits until it is there.
     *
     * @return its length in bytes, or {@link #DECLINED}
     */
    public int receive(MessageContext communicator, Payload into, int source, int tag) {
        if (source == MessageKey.ANY_SOURCE || into.lengthBytes() > ShortPath.MAX_BYTES) {
            return DECLINED;
        }
        Peer peer = communicator.peer(peers, source);
        if (!isReachable(peer) || !isFirst(communicator)) {
            return DECLINED;
        }
        ShortPath path = peer.shortPath;
        if (!path.hasArrived() && !await(communicator, peer, source, tag)) {
            return DECLINED;
        }
        int lengthBytes = path.receive(MessageKey.POINT_TO_POINT, communicator.id, source, tag, into);
        if (lengthBytes < 0) {
            return DECLINED;
        }
        receivedTag = path.receivedTag();
        notices.onTaken(peer, EagerCredit.costBytes(MessageKey.POINT_TO_POINT, lengthBytes));
        progress.onUnpolledCall();
        return lengthBytes;
    }

    /** The tag of the message that was received last on the short path. */
    public int receivedTag() {
        return receivedTag;
    }

    private boolean isReachable(Peer peer) {
        if (!peer.isShortPathKnown) {
            peer.shortPath = peer.isSelf ? null : fabric.shortPath(peer.id);
            peer.isShortPathKnown = true;
        }
        return peer.shortPath != null && !peer.isGone();
    }

    /**
     * Whether the next message of a lane may go to a receive that starts now: the communicator is not revoked, and it
     * has no posted point-to-point receive and no unexpected point-to-point message.
     */
    private static boolean isFirst(MessageContext communicator) {
        return !communicator.revoked
                && communicator.posted[MessageKey.POINT_TO_POINT].size() == 0
                && communicator.unexpected[MessageKey.POINT_TO_POINT].size() == 0;
    }

    /**
     * Waits until the next message is in the lane. Returns false if the receive must go through {@link Transfers}, for
     * instance since the message may come another way, or has come so.
     */
    private boolean await(MessageContext communicator, Peer peer, int source, int tag) {
        if (awaited.communicator != null) {
            return false; // another thread waits, and holds this description
        }
        if (!peer.shortPath.isOpen()) {
            return false; // only a poll can see the message
        }
        awaited.communicator = communicator;
        awaited.peer = peer;
        awaited.source = source;
        awaited.tag = tag;
        // Another thread may free the communicator meanwhile, but the receive that follows still needs it.
        communicator.beginCall();
        peer.shortPath.hold(true);
        try {
            fabric.attend(peer.id);
            progress.await(awaited);
            engine.checkRunning();
        } finally {
            peer.shortPath.hold(false);
            communicator.endCall();
            awaited.communicator = null;
            awaited.peer = null;
        }
        return !peer.isGone() && isFirst(communicator);
    }

    /**
     * The completion that a short receive waits for: a message in the lane, or a reason why the short path cannot be
     * used any more.
     */
    private static final class NextMessage implements NamedWait {
        /** Null while no thread waits. */
        private MessageContext communicator;

        private Peer peer;
        private int source;
        private int tag;

        @Override
        public boolean isDone() {
            return peer.shortPath.hasArrived() || peer.isGone() || !isFirst(communicator);
        }

        @Override
        public boolean isSeenWithoutPolling() {
            return true;
        }

        @Override
        public void explain(WaitNotes notes) {
            String detail = tag == ShortPath.ANY_TAG ? "any tag" : "tag " + tag;
            notes.message(communicator, "receive", detail, source);
        }

        @Override
        public String toString() {
            return "receive from rank " + communicator.peerRankOf(source) + " on " + communicator.label;
        }
    }
}
