package org.ulfmj.runtime.transfer;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.Notice;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/**
 * What goes on the control lane: messages of the protocols, and the answers that the transfer of a message takes. What
 * finds no room waits, and so does for a moment what its sender is in no hurry with; to each peer they go in the order
 * in which they were sent. Under the engine lock.
 */
final class Notices {
    /**
     * Unhurried frames are put off until the calls have ended that a failure ends; in a rank that computes hardly at
     * all.
     */
    static final long PUT_OFF_NS = 1_000_000;

    private final Wire wire;
    private final Backlog backlog;
    private final Clock clock;
    private final Frame frame = new Frame();
    /** The peers to which a notice was put off, and when that ends for all of them. */
    private final List<Peer> putOff = new ArrayList<>();

    private long putOffUntilNs;

    Notices(Wire wire, Backlog backlog, Clock clock) {
        this.wire = wire;
        this.backlog = backlog;
        this.clock = clock;
    }

    /**
     * A protocol message.
     *
     * @param isAwaited whether this rank will wait for it to have arrived
     */
    void sendControl(Peer to, Payload message, boolean isAwaited) {
        frame.writeControl(message);
        if (isAwaited) {
            frame.askForAcknowledgement();
        }
        send(to);
    }

    /** The receive of an offered message is there. */
    void sendClearToSend(Peer to, long senderId, long receiverId) {
        frame.writeClearToSend(senderId, receiverId);
        send(to);
    }

    /** A synchronous send was matched. */
    void sendMatched(Peer to, long senderId) {
        frame.writeMatched(senderId);
        send(to);
    }

    /** This many bytes of an offered message were copied from where they lie. */
    void sendCopied(Peer to, long senderId, long bytes) {
        frame.writeCopied(senderId, bytes);
        send(to);
    }

    /**
     * The sender of an offered message, which is being copied, may write its last pieces itself.
     *
     * @param board by which pieces are divided, in a division of this number
     * @param memoryId our lent memory into which they go, where the message begins at {@code offset}
     */
    void sendDivide(Peer to, long senderId, long board, int number, long memoryId, int offset) {
        frame.writeDivide(senderId, board, number, memoryId, offset);
        send(to);
    }

    /** An offered message will not be taken. */
    void sendRefusal(Peer to, long communicator, long senderId, ErrorClass reason) {
        frame.writeRefusal(communicator, senderId, reason.code());
        send(to);
    }

    /** Payload of the peer left our memory: it may send more. */
    void onTaken(Peer from, long bytes) {
        if (from.credit.onTaken(bytes) && !from.failed) {
            frame.writeCredit(from.credit.grant());
            send(from);
        }
    }

    /** The peer may announce this many messages in all on a communicator. */
    void sendMayAnnounce(Peer to, long communicator, long total) {
        if (!to.isGone()) {
            frame.writeMayAnnounce(communicator, total);
            send(to);
        }
    }

    private void send(Peer to) {
        if (to.notices.isEmpty() && wire.offer(to, LaneKind.CONTROL, frame)) {
            return;
        }
        to.notices.addLast(Notice.of(frame));
        if (to.isPutOff) {
            // What is put off goes ahead of it: the order of notices is that in which the protocols sent them.
            to.isPutOff = false;
            sendWaiting(to);
        }
        if (!to.notices.isEmpty()) {
            backlog.add(to);
        }
    }

    /**
     * A notice that wakes no rank and may wait for {@link #PUT_OFF_NS}, or for the next notice to that peer, ahead of
     * which it goes.
     */
    void putOff(Peer to, Notice notice) {
        boolean waitsForRoom = !to.notices.isEmpty() && !to.isPutOff;
        to.notices.addLast(notice);
        if (waitsForRoom || to.isPutOff) {
            return;
        }
        to.isPutOff = true;
        if (putOff.isEmpty()) {
            putOffUntilNs = clock.nowNs() + PUT_OFF_NS;
        }
        putOff.add(to);
    }

    /** When {@link #hurryIfDue} has something to do; {@link Long#MAX_VALUE} if never. */
    long deadlineNs() {
        return putOff.isEmpty() ? Long.MAX_VALUE : putOffUntilNs;
    }

    /** What was put off long enough waits no more. */
    void hurryIfDue() {
        if (!putOff.isEmpty() && clock.nowNs() - putOffUntilNs >= 0) {
            hurry();
        }
    }

    /** What was put off goes out as soon as there is room. */
    void hurry() {
        for (int i = 0; i < putOff.size(); i++) {
            Peer peer = putOff.get(i);
            if (!peer.notices.isEmpty()) {
                backlog.add(peer);
            }
        }
        putOff.clear();
    }

    /** Sends what waits for a peer, as far as there is room; returns how many. */
    int flush(Peer peer) {
        peer.isPutOff = false;
        return sendWaiting(peer);
    }

    private int sendWaiting(Peer peer) {
        int sent = 0;
        while (!peer.notices.isEmpty()) {
            peer.notices.peekFirst().writeTo(frame);
            if (!wire.offer(peer, LaneKind.CONTROL, frame)) {
                break;
            }
            peer.notices.pollFirst();
            sent++;
        }
        return sent;
    }

    /** The peer failed or departed: nothing waits for it. */
    void drop(Peer peer) {
        peer.notices.clear();
        peer.isPutOff = false;
    }
}
