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
 * Sends notices, which are frames of the control lane: protocol messages, and the answers that the transfer of a
 * message needs. A notice waits if there is no room in the lane. A notice that is put off waits even if there is room,
 * for about {@link #PUT_OFF_NS} at most. Notices to one peer are sent in the order in which they were given. Under the
 * engine lock.
 */
final class Notices {
    /** How long a notice is put off at most, in nanoseconds; it may then still wait for room in the lane. */
    static final long PUT_OFF_NS = 1_000_000;

    private final Wire wire;
    private final Backlog backlog;
    private final Clock clock;
    private final Frame frame = new Frame();
    /**
     * Peers for which notices were put off, some of which may have been sent since. The next field is the time until
     * which they are put off, the same for all.
     */
    private final List<Peer> putOff = new ArrayList<>();

    private long putOffUntilNs;

    Notices(Wire wire, Backlog backlog, Clock clock) {
        this.wire = wire;
        this.backlog = backlog;
        this.clock = clock;
    }

    /**
     * Sends a protocol message.
     *
     * @param isAwaited whether this rank will wait until the message has arrived
     */
    void sendControl(Peer to, Payload message, boolean isAwaited) {
        frame.writeControl(message);
        if (isAwaited) {
            frame.askForAcknowledgement();
        }
        send(to);
    }

    void sendHeartbeat(Peer to, Payload message) {
        frame.writeControl(message).setHeartbeat(true);
        send(to);
    }

    /** Asks the sender of an offered message to send its bytes, because a receive has matched the message. */
    void sendClearToSend(Peer to, long senderId, long receiverId) {
        frame.writeClearToSend(senderId, receiverId);
        send(to);
    }

    /** Tells a sender, which waits for this answer, that its message was matched. */
    void sendMatched(Peer to, long senderId) {
        frame.writeMatched(senderId);
        send(to);
    }

    /**
     * Tells the sender of an offered message how many of its bytes this rank has copied so far from the sender's lent
     * memory.
     */
    void sendCopied(Peer to, long senderId, long bytes) {
        frame.writeCopied(senderId, bytes);
        send(to);
    }

    /**
     * Tells the sender of an offered message, which this rank is copying, that the sender may write the last pieces
     * itself into this rank's memory.
     *
     * @param board id of the {@link org.ulfmj.runtime.lent.CopyBoard} on which the two ranks divide the pieces
     * @param number of this division on the board
     * @param memoryId id of this rank's lent memory into which the pieces go
     * @param offset where the message begins in that memory
     */
    void sendDivide(Peer to, long senderId, long board, int number, long memoryId, int offset) {
        frame.writeDivide(senderId, board, number, memoryId, offset);
        send(to);
    }

    /** Tells a sender that its message will not be received. */
    void sendRefusal(Peer to, long communicator, long senderId, ErrorClass reason) {
        frame.writeRefusal(communicator, senderId, reason.code());
        send(to);
    }

    /**
     * Notes that a message of the peer does not occupy this rank's memory any more. From time to time the peer is
     * granted new credit for that.
     */
    void onTaken(Peer from, long bytes) {
        if (from.credit.onTaken(bytes) && !from.failed) {
            frame.writeCredit(from.credit.grant());
            send(from);
        }
    }

    /**
     * Lets a peer announce this many messages in all, counted from the first, on a communicator. Does nothing if the
     * peer has failed, departed or died.
     */
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
            // Notices to this peer that were put off go ahead of the present one, because the protocols gave them
            // earlier.
            to.isPutOff = false;
            sendWaiting(to);
        }
        if (!to.notices.isEmpty()) {
            backlog.add(to);
        }
    }

    /**
     * Puts off a notice that need not wake its receiver: it is sent within about {@link #PUT_OFF_NS} if there is room.
     * It goes earlier if another notice to that peer is sent, and then ahead of that one.
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

    /** Returns when {@link #hurryIfDue} must be called next; {@link Long#MAX_VALUE} if nothing is put off. */
    long deadlineNs() {
        return putOff.isEmpty() ? Long.MAX_VALUE : putOffUntilNs;
    }

    /** If the time of the put-off notices is over, lets all of them be sent as soon as there is room. */
    void hurryIfDue() {
        if (!putOff.isEmpty() && clock.nowNs() - putOffUntilNs >= 0) {
            hurry();
        }
    }

    /** Lets all put-off notices be sent as soon as there is room. */
    void hurry() {
        for (int i = 0; i < putOff.size(); i++) {
            Peer peer = putOff.get(i);
            if (!peer.notices.isEmpty()) {
                backlog.add(peer);
            }
        }
        putOff.clear();
    }

    /** Sends the notices that wait for a peer, as long as there is room; returns how many it sent. */
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

    /** Drops the notices to a peer that has failed or died. */
    void drop(Peer peer) {
        peer.notices.clear();
        peer.isPutOff = false;
    }
}
