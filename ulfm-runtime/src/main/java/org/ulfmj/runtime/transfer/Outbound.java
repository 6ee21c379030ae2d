package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.lent.LentBuffer;
import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.Loopback;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/**
 * All frames that the engine sends, except on the short path. A frame that finds no room in its lane waits here, in
 * order, and is sent by a later {@link #flush}; so neither protocols nor collectives see back-pressure. Under the
 * engine lock.
 *
 * <p>A message up to the eager limit is sent whole if the peer's credit allows, unless it is offered in lent memory
 * first. Any other message is offered, and streamed in pieces (or copied by the receiver from lent memory) when its
 * receive is there, or sent whole later. Point-to-point messages, or their offers, to one peer on one communicator keep
 * their order; pieces and control frames may overtake each other.
 */
final class Outbound implements SendOperation.Queues {
    /** The least length in bytes of a streamed message that the medium may send straight from the program's buffer. */
    private static final int SMALLEST_BORROWED_BYTES = 256 * 1024;
    /**
     * How long a send whose last byte was given to the medium waits at most for the arrival of bytes that the medium
     * sends straight from the program's buffer; after that they are copied.
     */
    private static final long BORROWING_NS = 500_000;
    /**
     * After this many streamed bytes no further piece is sent to the same peer in one turn of the engine. A piece that
     * the medium may not send straight from the program's buffer is no longer than this.
     */
    static final int TURN_BYTES = 64 * 1024;
    /** The least length in bytes of a message that is offered in lent memory. */
    static final int SMALLEST_LENT_BYTES = 16 * 1024;
    /**
     * How long the receiver of an offer in lent memory may take to copy the message, if the message could have been
     * sent whole. After that it is sent whole if the peer's credit allows. The time counts anew when the receiver has
     * copied an older offer.
     */
    private static final long PATIENCE_NS = 20_000;

    private final Fabric fabric;
    private final Wire wire;
    private final Backlog backlog = new Backlog();
    private final Notices notices;
    private final Lending lending;
    private final Contributions contributions;
    private final Clock clock;
    private final int eagerLimitBytes;
    private final Frame frame = new Frame();
    /** A count of how often this rank has taken lent memory back, as bytes; sent with an offer of lent memory. */
    private final ByteBuffer takenBack = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private final Payload takenBackPayload = new BufferPayload(takenBack);
    private final Long2ObjectHashMap<SendOperation> awaitingAnswer = new Long2ObjectHashMap<>();
    /**
     * Offers in lent memory of messages that could have been sent whole, roughly the oldest first. Some of these sends
     * may have ended.
     */
    private final ArrayDeque<SendOperation> impatient = new ArrayDeque<>();

    private long lastHandshakeId;

    Outbound(
            Fabric fabric,
            Loopback loopback,
            Lending lending,
            Contributions contributions,
            Clock clock,
            int eagerLimitBytes) {
        this.contributions = contributions;
        this.clock = clock;
        this.lending = lending;
        this.fabric = fabric;
        this.wire = new Wire(fabric, loopback);
        this.notices = new Notices(wire, backlog, clock);
        this.eagerLimitBytes = eagerLimitBytes;
    }

    /** Stops all sending, because this rank has ended, for instance by Finalize. */
    void close() {
        wire.close();
    }

    /** Returns the object that sends the frames of the control lane. */
    Notices notices() {
        return notices;
    }

    boolean hasBacklog() {
        return !backlog.isEmpty();
    }

    /** Returns when a {@link #flush} is due even if no input comes; {@link Long#MAX_VALUE} if never. */
    long nextDeadlineNs() {
        SendOperation oldest = impatient.peekFirst();
        long hurryNs = notices.deadlineNs();
        if (oldest == null) {
            return hurryNs;
        }
        long overdueNs = oldest.offeredNs + PATIENCE_NS;
        return hurryNs != Long.MAX_VALUE && hurryNs - overdueNs < 0 ? hurryNs : overdueNs;
    }

    /** Sends a message or its offer now, or puts it in a queue until there is room, or until it may be announced. */
    void submit(SendOperation send) {
        send.phase = SendOperation.Phase.QUEUED;
        send.handshakeId = 0;
        send.streamedBytes = 0;
        send.isLent = false;
        send.isImpatient = false;
        send.communicator.active.add(send);
        if (!send.peer.envelopes.isEmpty() || !sendEnvelope(send)) {
            send.peer.envelopes.addLast(send);
            backlog.add(send.peer);
        }
    }

    /**
     * Lets no more bytes of a send leave that ends before its time. A send that waits for room, is held back, or is
     * being streamed stays in its queue without a payload until the queue gets to it: a revocation may end a hundred
     * thousand sends, and a search through the queue for each would take too long.
     */
    @Override
    public void forget(SendOperation send) {
        if (send.handshakeId != 0) {
            awaitingAnswer.remove(send.handshakeId);
        }
        switch (send.phase) {
            case QUEUED -> {
                send.payload = null;
                // Shorter sends to the same peer, which waited only because they may not overtake this one, may go now.
                resume(send.peer);
            }
            case STREAMING -> {
                if (send.streamedBytes > 0 && !send.peer.isSelf) {
                    fabric.giveBack(send.peer.id);
                }
                send.payload = null;
            }
            case OFFERED -> {
                send.peer.creditWaiters.remove(send);
                if (send.isLent) {
                    contributions.forget(send);
                    lending.takeBack(send.handshakeId);
                }
            }
            default -> {}
        }
    }

    void onClearToSend(Peer from, long senderId, long receiverId) {
        SendOperation send = answered(from, senderId);
        if (send == null || send.phase != SendOperation.Phase.OFFERED) {
            return;
        }
        contributions.forget(send);
        from.creditWaiters.remove(send);
        send.receiverId = receiverId;
        send.phase = SendOperation.Phase.STREAMING;
        from.streams.addLast(send);
        backlog.add(from);
    }

    /**
     * Handles the receiver's answer that a message was matched, or that the receiver has copied a part of it: ends the
     * send if nothing else is to follow.
     *
     * @param copiedBytes how many bytes the receiver has copied from lent memory, if it did
     */
    void onMatched(Peer from, long senderId, long copiedBytes) {
        SendOperation send = answered(from, senderId);
        if (send == null) {
            return;
        }
        boolean isCopied =
                send.phase == SendOperation.Phase.OFFERED && send.isLent && copiedBytes == send.payload.lengthBytes();
        // An offered message that is empty has no bytes that must follow.
        boolean isEmptyOffer = send.phase == SendOperation.Phase.OFFERED && send.payload.lengthBytes() == 0;
        if (isCopied || isEmptyOffer || send.phase == SendOperation.Phase.AWAITING_MATCH) {
            awaitingAnswer.remove(senderId);
            from.creditWaiters.remove(send);
            if (isCopied) {
                contributions.forget(send);
                from.lentOffers.onCopied(senderId, clock.latestNs());
            }
            send.finish(ErrorClass.SUCCESS);
        }
    }

    void onDivide(Peer from, Frame divide) {
        SendOperation send = answered(from, divide.senderId());
        if (send != null && send.phase == SendOperation.Phase.OFFERED && send.isLent) {
            contributions.begin(from, send, divide);
        }
    }

    /**
     * Handles a grant of credit by the peer: the next {@link #flush} sends whole, as far as the credit suffices, the
     * short messages that were only announced since there was no credit, and those that were held back.
     */
    void onGrant(Peer from, long totalBytes) {
        from.credit.onGrant(totalBytes);
        if (!from.creditWaiters.isEmpty()) {
            from.isCreditNew = true;
            backlog.add(from);
        }
        resume(from);
    }

    /**
     * Notes that the peer lets this rank announce this many messages in all on a communicator. Sends that were held
     * back for that go on.
     */
    void onMayAnnounce(MessageContext communicator, Peer from, long total) {
        HeldSends held = communicator.heldSends(communicator.rankOf(from.id));
        if (held != null) {
            held.allow(total);
            resume(from);
        }
    }

    private void resume(Peer peer) {
        if (!peer.held.isEmpty()) {
            peer.isHeldReady = true;
            backlog.add(peer);
        }
    }

    /** Forgets the sends that are held back on a communicator, all of whose sends have ended. */
    void dropHeld(MessageContext communicator) {
        for (HeldSends held : communicator.allHeldSends()) {
            if (!held.isEmpty()) {
                held.clear();
                held.to.held.remove(held);
            }
        }
    }

    /** Returns the send that the peer's answer is about; null if that send has ended or does not go to the peer. */
    SendOperation answered(Peer from, long senderId) {
        SendOperation send = awaitingAnswer.get(senderId);
        return send == null || send.peer != from ? null : send;
    }

    /** Drops everything that still waits to be sent to a peer that has failed or died. */
    void dropAll(Peer peer) {
        endStreamed(peer);
        notices.drop(peer);
        peer.envelopes.clear();
        peer.streams.clear();
        peer.isCreditNew = false;
    }

    /** Sends frames that found no room before, and other output that is due. Returns how much it did; 0 for nothing. */
    int flush() {
        if (wire.isClosed()) {
            return 0;
        }
        int sent = impatient.isEmpty() ? 0 : pushOverdue();
        notices.hurryIfDue();
        if (!contributions.isEmpty()) {
            sent += contributions.advance();
        }
        for (int i = 0; i < backlog.size(); ) {
            Peer peer = backlog.get(i);
            sent += flush(peer);
            if (peer.hasOutput()) {
                i++;
            } else {
                backlog.remove(i);
            }
        }
        return sent;
    }

    /**
     * Sends messages whole, if credit allows, that were offered in lent memory and not copied in time: a send of at
     * most the eager limit need not wait for its receive. Returns how many it sent.
     */
    private int pushOverdue() {
        int pushed = 0;
        long nowNs = clock.latestNs();
        for (SendOperation send = impatient.peekFirst(); send != null; send = impatient.peekFirst()) {
            if (send.isImpatient && !send.done && send.phase == SendOperation.Phase.OFFERED) {
                long length = send.payload.lengthBytes();
                long sinceNs = send.peer.lentOffers.laterOf(send.handshakeId, send.offeredNs);
                if (sinceNs != send.offeredNs) {
                    waitOn(send, sinceNs);
                    continue;
                }
                if (nowNs - sinceNs < PATIENCE_NS) {
                    break;
                }
                if (send.peer.credit.allows(EagerCredit.costBytes(send.stream, length))) {
                    if (!push(send, length)) {
                        waitOn(send, nowNs);
                        continue;
                    }
                    send.peer.lentOffers.onPushed();
                    pushed++;
                }
            }
            send.isImpatient = false;
            impatient.pollFirst();
        }
        return pushed;
    }

    /**
     * Moves the first of the impatient offers to the end of the queue, so that offers to other peers do not wait for
     * it.
     */
    private void waitOn(SendOperation first, long sinceNs) {
        first.offeredNs = sinceNs;
        impatient.pollFirst();
        impatient.addLast(first);
    }

    private boolean push(SendOperation send, long length) {
        writeMessage(send, length);
        frame.setOffered(send.handshakeId);
        if (!wire.offer(send.peer, LaneKind.DATA, frame)) {
            return false;
        }
        if (send.isLent) {
            lending.takeBack(send.handshakeId);
        }
        awaitingAnswer.remove(send.handshakeId);
        send.peer.creditWaiters.remove(send);
        send.peer.credit.onSent(EagerCredit.costBytes(send.stream, length));
        send.finish(ErrorClass.SUCCESS);
        return true;
    }

    private void writeMessage(SendOperation send, long length) {
        MessageContext communicator = send.communicator;
        frame.writeMessage(communicator.id, send.stream, communicator.rank, send.tag, send.payload, (int) length);
        frame.setMayLinger(mayLinger(send));
    }

    private void writeOffer(SendOperation send, long length) {
        MessageContext communicator = send.communicator;
        frame.writeOffer(communicator.id, send.stream, communicator.rank, send.tag, length);
        frame.setMayLinger(mayLinger(send));
    }

    private static boolean mayLinger(SendOperation send) {
        return send.stream == MessageKey.POINT_TO_POINT && send.peer.credit.isFarAhead();
    }

    private int flush(Peer peer) {
        int sent = notices.flush(peer);
        for (SendOperation send = peer.envelopes.peekFirst(); send != null; send = peer.envelopes.peekFirst()) {
            if (!send.done) {
                if (!sendEnvelope(send)) {
                    break;
                }
                sent++;
            }
            peer.envelopes.pollFirst();
        }
        if (peer.isCreditNew) {
            sent += spendCredit(peer);
        }
        if (peer.isHeldReady) {
            sent += sendHeld(peer);
        }
        return sent + stream(peer);
    }

    /**
     * Sends whole the messages that were only announced since there was no credit, as far as credit and room suffice.
     * Returns how many it sent.
     */
    private int spendCredit(Peer peer) {
        int sent = 0;
        for (SendOperation send = peer.creditWaiters.first(); send != null; send = peer.creditWaiters.first()) {
            if (!mayGoWhole(send)) {
                break;
            }
            if (!push(send, send.payload.lengthBytes())) {
                return sent;
            }
            sent++;
        }
        peer.isCreditNew = false;
        return sent;
    }

    /**
     * Sends the messages that were held back, or their offers, as far as they may be sent now and there is room.
     * Returns how many it sent.
     */
    private int sendHeld(Peer peer) {
        int sent = 0;
        for (int i = 0; i < peer.held.size(); ) {
            HeldSends held = peer.held.get(i);
            for (SendOperation send = held.first(); send != null; send = held.first()) {
                if (!send.done) {
                    if (!mayGoWhole(send) && !held.mayAnnounce()) {
                        break;
                    }
                    if (!sendInOrder(send)) {
                        return sent;
                    }
                    sent++;
                }
                held.removeFirst();
            }
            if (held.isEmpty()) {
                peer.held.remove(i);
            } else {
                i++;
            }
        }
        peer.isHeldReady = false;
        return sent;
    }

    /**
     * Sends pieces of the streamed sends to a peer until {@link #TURN_BYTES} are reached, so that a thread that waits
     * for the lock gets it between two turns, and ends sends that are over. Returns 0 if it did nothing of that.
     */
    private int stream(Peer peer) {
        int sent = 0;
        SendOperation stream = peer.streams.peekFirst();
        for (int bytes = 0; stream != null && bytes < TURN_BYTES; stream = peer.streams.peekFirst()) {
            if (stream.done) {
                peer.streams.pollFirst();
                continue;
            }
            if (stream.isStreamed()) {
                if (!endStreamed(stream, false)) {
                    break;
                }
                sent++;
                continue;
            }
            if (!sendChunk(stream)) {
                break;
            }
            bytes += frame.payloadBytes();
            sent++;
        }
        return sent;
    }

    /** Sends a message or its offer, or holds it back until it may be announced. Returns false if there was no room. */
    private boolean sendEnvelope(SendOperation send) {
        if (send.stream == MessageKey.POINT_TO_POINT && isHeld(send)) {
            return true;
        }
        return sendInOrder(send);
    }

    /**
     * Holds back a send that may neither be sent whole nor be announced, or that must not overtake sends that are held
     * back. Returns whether it was held back.
     */
    private boolean isHeld(SendOperation send) {
        if (send.peer.held.isEmpty() && mayGoWhole(send)) {
            return false;
        }
        HeldSends held = send.communicator.heldSends(send.dest);
        if (held == null || held.isEmpty() && (held.mayAnnounce() || mayGoWhole(send))) {
            return false;
        }
        if (held.isEmpty()) {
            send.peer.held.add(held);
        }
        held.add(send);
        return true;
    }

    private boolean mayGoWhole(SendOperation send) {
        long length = send.payload.lengthBytes();
        return length <= eagerLimitBytes && send.peer.credit.allows(EagerCredit.costBytes(send.stream, length));
    }

    private boolean mayAnnounce(SendOperation send) {
        HeldSends held = send.stream == MessageKey.POINT_TO_POINT ? send.communicator.heldSends(send.dest) : null;
        return held == null || held.mayAnnounce();
    }

    private boolean sendInOrder(SendOperation send) {
        long length = send.payload.lengthBytes();
        boolean mayGoWhole = mayGoWhole(send);
        LentBuffer lent = length < SMALLEST_LENT_BYTES ? null : memoryOf(send);
        if (mayGoWhole && lent != null && !(send.peer.lentOffers.isWorthIt() && mayAnnounce(send))) {
            lent = null;
        }
        boolean whole = mayGoWhole && lent == null;
        if (whole) {
            writeMessage(send, length);
        } else {
            writeOffer(send, length);
        }
        if (send.synchronous) {
            frame.setSynchronous();
        }
        if (send.stream == MessageKey.DESCRIPTION) {
            frame.setDescription(send.description);
        }
        if (!whole || send.synchronous) {
            frame.setSenderId(send.handshakeId == 0 ? lastHandshakeId + 1 : send.handshakeId);
        }
        send.isLent = lent != null;
        boolean awaitsCredit = !whole && !send.isLent && length <= eagerLimitBytes && !send.synchronous;
        if (send.isLent) {
            placeIn(lent.id(), lent.offsetOf(send.payload));
        } else if (awaitsCredit) {
            frame.setAwaitsCredit();
        }
        if (!wire.offer(send.peer, LaneKind.DATA, frame)) {
            return false;
        }
        onEnvelopeSent(send, whole, length);
        if (awaitsCredit) {
            send.peer.creditWaiters.add(send);
        }
        if (send.isLent && mayGoWhole && !send.synchronous) {
            send.offeredNs = clock.nowNs();
            send.isImpatient = true;
            impatient.addLast(send);
        }
        return true;
    }

    /** Returns the lent buffer from which the receiver can read this message itself; null if there is none. */
    private LentBuffer memoryOf(SendOperation send) {
        LentBuffer lent = send.peer.isSelf ? null : lending.bufferOf(send.payload);
        return lent != null && lending.reaches(send.peer.id) ? lent : null;
    }

    /**
     * Writes into the offer in {@link #frame} in which lent memory the message lies. The frame must have the sender's
     * number of the offer already.
     */
    private void placeIn(long memoryId, int offset) {
        takenBack.putLong(0, lending.takenBack(frame.senderId()));
        frame.setLent(memoryId, offset, takenBackPayload);
    }

    private void onEnvelopeSent(SendOperation send, boolean whole, long length) {
        if (frame.senderId() != 0) {
            lastHandshakeId = frame.senderId();
            send.handshakeId = frame.senderId();
            send.phase = whole ? SendOperation.Phase.AWAITING_MATCH : SendOperation.Phase.OFFERED;
            awaitingAnswer.put(send.handshakeId, send);
        }
        if (!whole && send.stream == MessageKey.POINT_TO_POINT) {
            send.communicator.heldSends(send.dest, send.peer).onAnnounced();
        }
        if (whole) {
            send.peer.credit.onSent(EagerCredit.costBytes(send.stream, length));
            if (!send.synchronous) {
                send.finish(ErrorClass.SUCCESS);
            }
        }
    }

    private boolean sendChunk(SendOperation send) {
        long left = send.payload.lengthBytes() - send.streamedBytes;
        boolean isBorrowable = send.payload.lengthBytes() >= SMALLEST_BORROWED_BYTES && send.payload.memory() != null;
        int bytes = (int) Math.min(left, pieceBytes(send.peer, isBorrowable));
        frame.writeChunk(send.receiverId, send.payload, send.streamedBytes, bytes);
        frame.setBorrowable(isBorrowable);
        if (isBorrowable && bytes == left) {
            frame.askForAcknowledgement();
        }
        if (!wire.offer(send.peer, LaneKind.DATA, frame)) {
            return false;
        }
        send.streamedBytes += bytes;
        if (bytes == left) {
            if (!send.peer.isSelf && fabric.borrowsFor(send.peer.id)) {
                send.offeredNs = clock.nowNs();
                fabric.attend(send.peer.id);
            } else {
                finishStreamed(send);
            }
        }
        return true;
    }

    private int pieceBytes(Peer to, boolean isBorrowable) {
        int bytes = to.isSelf ? Fabric.PIECE_BYTES : fabric.pieceBytes(to.id);
        return isBorrowable ? bytes : Math.min(bytes, TURN_BYTES);
    }

    private void finishStreamed(SendOperation send) {
        send.peer.streams.pollFirst();
        awaitingAnswer.remove(send.handshakeId);
        send.finish(ErrorClass.SUCCESS);
    }

    /**
     * Ends the first streamed send to a peer, after its last byte was given to the medium, once the medium does not
     * need the payload any more. If the medium sends straight from the program's buffer, this is when the bytes have
     * arrived. After {@link #BORROWING_NS}, or at once if {@code atOnce}, the medium gives the buffer back and goes on
     * with a copy. Returns whether the send has ended.
     */
    private boolean endStreamed(SendOperation send, boolean atOnce) {
        if (fabric.borrowsFor(send.peer.id)) {
            if (!atOnce && clock.nowNs() - send.offeredNs < BORROWING_NS) {
                return false;
            }
            fabric.giveBack(send.peer.id);
        }
        finishStreamed(send);
        return true;
    }

    /**
     * Called when the peer has failed, departed or died. A streamed send to it whose last byte was given to the medium
     * ends well. Held-back sends to the peer will never be sent, and are forgotten.
     */
    void endStreamed(Peer peer) {
        SendOperation first = peer.streams.peekFirst();
        if (first != null && !first.done && first.isStreamed()) {
            endStreamed(first, true);
        }
        for (HeldSends held : peer.held) {
            held.clear();
        }
        peer.held.clear();
        peer.isHeldReady = false;
    }
}
