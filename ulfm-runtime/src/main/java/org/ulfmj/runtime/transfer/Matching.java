package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.PayloadMemory;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Payload;

/**
 * Matches messages and receives in MPI's order: a message goes to the oldest receive that fits it, and a receive takes
 * the oldest message that fits it. Under the engine lock.
 */
final class Matching implements ReceiveOperation.Queues {
    /** How many message objects are kept for reuse. The garbage collector takes the objects beyond this number. */
    private static final int KEPT_MESSAGES = 1024;

    private final Notices notices;
    private final Pulls pulls;
    private final Division division;
    private final PayloadMemory memory = new PayloadMemory();
    private final ArrayDeque<UnexpectedMessage> idle = new ArrayDeque<>();
    /** Receives whose message was offered and whose bytes are on the way or being copied, by handshake number. */
    private final Long2ObjectHashMap<ReceiveOperation> streaming = new Long2ObjectHashMap<>();

    private long lastHandshakeId;

    Matching(Notices notices, Pulls pulls, Division division) {
        this.division = division;
        this.notices = notices;
        this.pulls = pulls;
    }

    /**
     * Copies pieces of a message that lies in its sender's lent memory, or ends the divided receive if that may end.
     * Returns 0 if there was nothing to do, else 1.
     */
    int pull() {
        if (pulls.isEmpty()) {
            return 0;
        }
        if (division.isOver()) {
            onDivisionOver(division.ending(), division.takeOver());
            return 1;
        }
        if (!pulls.hasPieces()) {
            return 0;
        }
        ReceiveOperation copied = pulls.advance();
        if (copied != null) {
            onCopied(copied);
        }
        return 1;
    }

    private void onDivisionOver(ErrorClass ending, ReceiveOperation receive) {
        if (ending == null) {
            onCopied(receive);
        } else {
            receive.finish(ending);
        }
    }

    /**
     * Whether a detached operation ends only at a later {@link #pull}, because the sender may still write to its
     * buffer.
     */
    boolean endsLater(Operation detached, ErrorClass error) {
        return detached instanceof ReceiveOperation receive && division.delays(receive, error);
    }

    private void onCopied(ReceiveOperation receive) {
        if (pulls.isWhole(receive)) {
            forgetStream(receive);
            notices.sendCopied(receive.peer, receive.senderId, receive.messageBytes);
            finish(receive, receive.messageBytes);
        } else {
            receive.arrivedBytes = 0;
            notices.sendClearToSend(receive.peer, receive.senderId, receive.handshakeId);
        }
    }

    boolean isPulling() {
        return !pulls.isEmpty();
    }

    /**
     * Gives the receive the oldest arrived message that fits it; if that message is lost, the receive ends with an
     * error. If there is none, posts the receive, or ends it with an error.
     */
    void receive(ReceiveOperation receive) {
        MessageContext communicator = receive.communicator;
        UnexpectedMessage message =
                communicator.unexpected[receive.stream].first(receive.wantedSource, receive.wantedTag);
        if (message != null) {
            communicator.unexpected[receive.stream].remove(message);
            if (message.lost) {
                meetLost(receive, message);
            } else {
                communicator.active.add(receive);
                take(receive, message);
            }
            return;
        }
        ErrorClass verdict = ErrorRules.of(receive);
        if (verdict != ErrorClass.SUCCESS && verdict != ErrorClass.PROC_FAILED_PENDING) {
            if (verdict == ErrorClass.PROC_FAILED) {
                receive.source = receive.wantedSource;
            }
            receive.finish(verdict);
            return;
        }
        communicator.posted[receive.stream].post(receive);
        communicator.active.add(receive);
        if (receive.stream == MessageKey.POINT_TO_POINT) {
            askForMore(communicator, receive.wantedSource);
        }
    }

    /**
     * Takes the message that a receive would take now out of its queue, for a matched probe. From now on only the
     * method {@link #receive(ReceiveOperation, UnexpectedMessage)} finds it. Returns null if there is no such message,
     * or if its sender is gone before it sent the bytes.
     */
    UnexpectedMessage claim(MessageContext communicator, int source, int tag) {
        UnexpectedMessage message = peek(communicator, source, tag);
        if (message == null) {
            return null;
        }
        communicator.unexpected[MessageKey.POINT_TO_POINT].remove(message);
        if (communicator.claimed == null) {
            communicator.claimed = new ArrayList<>();
        }
        communicator.claimed.add(message);
        return message;
    }

    /**
     * Gives a receive the message that was claimed for it. The receive ends with an error if the message's sender is
     * gone before it sent the bytes, or if the message was thrown away because the communicator is revoked.
     */
    void receive(ReceiveOperation receive, UnexpectedMessage message) {
        MessageContext communicator = receive.communicator;
        if (communicator.claimed == null || !communicator.claimed.remove(message)) {
            receive.finish(ErrorClass.REVOKED);
        } else if (message.lost) {
            meetLost(receive, message);
        } else {
            communicator.active.add(receive);
            take(receive, message);
        }
    }

    /**
     * Lets senders announce more messages because a receive or probe of this source, or of any source, finds none. It
     * concerns the senders that have used up their allowance: the wanted message may be among those that they hold
     * back.
     */
    private void askForMore(MessageContext communicator, int source) {
        OfferWindows windows = communicator.offerWindows;
        if (windows == null || !windows.hasUsedUp()) {
            return;
        }
        for (OfferWindows.Window window = windows.takeUsedUp(source);
                window != null;
                window = windows.takeUsedUp(source)) {
            notices.sendMayAnnounce(window.from, communicator.id, window.grantMore());
        }
    }

    /**
     * Counts an announced message that was matched or has come whole, so that its sender may announce another. The
     * sender is told so from time to time.
     */
    private void onOfferTaken(MessageContext communicator, Peer from, int source) {
        OfferWindows.Window window = communicator.offerWindows.of(source);
        if (window.onTaken()) {
            notices.sendMayAnnounce(from, communicator.id, window.grantTaken());
        }
    }

    /**
     * Ends a receive with PROC_FAILED: its message was only offered, and its sender is gone. The receive takes no other
     * message; the next one is for the next receive.
     */
    private void meetLost(ReceiveOperation receive, UnexpectedMessage message) {
        recycle(message);
        receive.source = receive.wantedSource;
        receive.finish(ErrorClass.PROC_FAILED);
    }

    /**
     * Returns the message that a receive would take now. Returns null if there is none, or if its sender is gone before
     * it sent the bytes.
     */
    UnexpectedMessage peek(MessageContext communicator, int source, int tag) {
        UnexpectedMessage message = communicator.unexpected[MessageKey.POINT_TO_POINT].first(source, tag);
        if (message == null) {
            askForMore(communicator, source);
        }
        return message != null && message.lost ? null : message;
    }

    /** Takes a receive out of all queues; pieces that still arrive for it are dropped. */
    @Override
    public void forget(ReceiveOperation receive) {
        receive.communicator.posted[receive.stream].remove(receive);
        if (receive.handshakeId != 0) {
            forgetStream(receive);
        }
    }

    private void forgetStream(ReceiveOperation receive) {
        streaming.remove(receive.handshakeId);
        receive.handshakeId = 0;
        if (receive.place.isLent()) {
            pulls.forget(receive);
        }
        if (receive.place.mayComeWhole()) {
            receive.peer.lentOffers.remove(receive.senderId);
        }
    }

    /** A whole message arrived. */
    void onMessage(MessageContext communicator, Peer from, Frame frame) {
        boolean synchronous = frame.isSynchronous();
        ReceiveOperation receive = communicator.posted[frame.stream()].match(frame.source(), frame.tag());
        if (receive == null) {
            UnexpectedMessage message = unexpected(from, frame, synchronous);
            if (frame.payloadBytes() > 0) {
                message.bytes = memory.take(frame.payloadBytes());
                message.bytes.put(frame.received()).flip();
            }
            communicator.unexpected[frame.stream()].add(message);
            return;
        }
        if (synchronous) {
            notices.sendMatched(from, frame.senderId());
        }
        deliver(receive, from, frame.source(), frame.tag(), frame.received(), frame.payloadBytes());
    }

    /**
     * Handles the arrival of a whole message that was offered before: the receiver did not copy it in time, or the
     * sender has credit for it now.
     */
    void onPushed(MessageContext communicator, Peer from, Frame frame) {
        Object offer = from.lentOffers.get(frame.senderId());
        if (offer instanceof UnexpectedMessage message) {
            requireOffered(message.lengthBytes, from, frame);
            message.bytes = memory.take(frame.payloadBytes());
            message.bytes.put(frame.received()).flip();
            message.offered = false;
            message.synchronous = false;
            from.lentOffers.remove(frame.senderId());
            if (frame.stream() == MessageKey.POINT_TO_POINT) {
                onOfferTaken(communicator, from, frame.source());
            }
        } else if (offer instanceof ReceiveOperation receive) {
            requireOffered(receive.messageBytes, from, frame);
            forgetStream(receive);
            copy(frame.received(), receive.payload, 0);
            notices.onTaken(from, EagerCredit.costBytes(frame.stream(), frame.payloadBytes()));
            finish(receive, frame.payloadBytes());
        } else {
            notices.onTaken(from, EagerCredit.costBytes(frame.stream(), frame.payloadBytes()));
        }
    }

    private static void requireOffered(long offeredBytes, Peer from, Frame frame) {
        if (frame.payloadBytes() != offeredBytes) {
            throw new WireFormatException(
                    "a message of " + offeredBytes + " bytes was offered: " + frame + " from " + from);
        }
    }

    /** A message is offered, because it is long, its sender has no credit for it, or it lies in lent memory. */
    void onOffer(MessageContext communicator, Peer from, Frame frame) {
        boolean isCounted = frame.stream() == MessageKey.POINT_TO_POINT;
        boolean isLast = isCounted
                && communicator.offerWindows().onHeard(from, frame.source()).isUsedUp();
        ReceiveOperation receive = communicator.posted[frame.stream()].match(frame.source(), frame.tag());
        if (receive == null) {
            UnexpectedMessage message = unexpected(from, frame, true);
            message.offered = true;
            message.place.of(frame);
            if (message.place.mayComeWhole()) {
                from.lentOffers.put(frame.senderId(), message);
            }
            communicator.unexpected[frame.stream()].add(message);
        } else {
            receive.place.of(frame);
            pull(receive, from, frame.source(), frame.tag(), frame.lengthBytes(), frame.senderId());
            if (isCounted) {
                onOfferTaken(communicator, from, frame.source());
            }
        }
        if (isLast && communicator.posted[frame.stream()].awaits(frame.source())) {
            askForMore(communicator, frame.source());
        }
    }

    /**
     * Returns the payload of the receive into whose memory the medium can read an arriving piece directly. Null if no
     * receive waits for the piece, if the piece is not the next one of its message or does not fit, or if that memory
     * is not direct memory of the program.
     */
    Payload placeOf(Peer from, Frame chunk) {
        ReceiveOperation receive = streaming.get(chunk.receiverId());
        if (receive == null || receive.peer != from || chunk.position() != receive.arrivedBytes) {
            return null;
        }
        long end = chunk.position() + chunk.payloadBytes();
        boolean fits = end <= receive.messageBytes && end <= receive.payload.lengthBytes();
        return fits && receive.payload.memory() != null ? receive.payload : null;
    }

    /**
     * Handles an arriving piece of a message that was offered: copies it into the receive's buffer, unless the medium
     * has read it into there, and ends the receive after the last piece. A piece for which no receive waits is ignored.
     */
    void onChunk(Peer from, Frame frame) {
        ReceiveOperation receive = streaming.get(frame.receiverId());
        if (receive == null || receive.peer != from) {
            return;
        }
        long position = frame.position();
        if (position != receive.arrivedBytes || position + frame.payloadBytes() > receive.messageBytes) {
            throw new IllegalStateException("piece of " + frame.payloadBytes() + " bytes at " + position + " from "
                    + from + ", expected one at " + receive.arrivedBytes + " of " + receive.messageBytes + ": "
                    + receive);
        }
        if (!frame.isPlaced()) {
            copy(frame.received(), receive.payload, position);
        }
        receive.arrivedBytes += frame.payloadBytes();
        if (receive.arrivedBytes == receive.messageBytes) {
            forgetStream(receive);
            finish(receive, receive.messageBytes);
        }
    }

    /**
     * Throws away the messages of one stream of a communicator that wait for a receive, also those that a matched probe
     * has claimed. Senders that wait for an answer are sent {@code refusal}, unless it is null.
     */
    void purge(MessageContext communicator, int stream, ErrorClass refusal) {
        UnexpectedMessages messages = communicator.unexpected[stream];
        for (UnexpectedMessage message = messages.oldest(); message != null; message = messages.oldest()) {
            messages.remove(message);
            throwAway(communicator, stream, message, refusal);
            keep(message);
        }
        if (stream == MessageKey.POINT_TO_POINT && communicator.claimed != null) {
            // The objects of claimed messages are not reused, since the program still refers to them.
            for (UnexpectedMessage message : communicator.claimed) {
                throwAway(communicator, stream, message, refusal);
            }
            communicator.claimed.clear();
        }
    }

    private void throwAway(MessageContext communicator, int stream, UnexpectedMessage message, ErrorClass refusal) {
        refuse(message.from, communicator.id, message.synchronous ? message.senderId : 0, refusal);
        notices.onTaken(message.from, message.offered ? 0 : EagerCredit.costBytes(stream, message.lengthBytes));
        tidy(message);
    }

    /**
     * Marks the point-to-point offers of a peer that has failed or departed as lost, since their bytes can never be
     * fetched. Messages that arrived whole stay.
     */
    void loseOffers(MessageContext communicator, Peer from) {
        communicator.unexpected[MessageKey.POINT_TO_POINT].loseOffersOf(from);
        if (communicator.claimed != null) {
            for (UnexpectedMessage message : communicator.claimed) {
                message.lost |= message.offered && message.from == from;
            }
        }
    }

    /**
     * Throws away an arrived message or offer that no receive may take any more. A sender that waits for an answer is
     * told {@code refusal}, unless that is null; the sender of a whole message gets its credit back.
     */
    void drop(Peer from, Frame frame, ErrorClass refusal) {
        refuse(from, frame.communicator(), frame.senderId(), refusal);
        notices.onTaken(
                from,
                frame.type() == FrameType.EAGER ? EagerCredit.costBytes(frame.stream(), frame.payloadBytes()) : 0);
    }

    private void refuse(Peer from, long communicator, long senderId, ErrorClass refusal) {
        if (senderId != 0 && refusal != null && !from.failed) {
            notices.sendRefusal(from, communicator, senderId, refusal);
        }
    }

    private void take(ReceiveOperation receive, UnexpectedMessage message) {
        if (message.offered) {
            receive.place.of(message.place);
            pull(receive, message.from, message.source, message.tag, message.lengthBytes, message.senderId);
            if (receive.stream == MessageKey.POINT_TO_POINT) {
                onOfferTaken(receive.communicator, message.from, message.source);
            }
        } else {
            if (message.synchronous && !message.from.failed) {
                notices.sendMatched(message.from, message.senderId);
            }
            deliver(receive, message.from, message.source, message.tag, message.bytes, (int) message.lengthBytes);
        }
        recycle(message);
    }

    private void deliver(ReceiveOperation receive, Peer from, int source, int tag, ByteBuffer bytes, int length) {
        matched(receive, from, source, tag);
        if (length > 0) {
            copy(bytes, receive.payload, 0);
        }
        notices.onTaken(from, EagerCredit.costBytes(receive.stream, length));
        finish(receive, length);
    }

    /**
     * Begins to fetch the bytes of an offered message: copies them from the sender's lent memory, or asks the sender to
     * stream them.
     */
    private void pull(ReceiveOperation receive, Peer from, int source, int tag, long length, long senderId) {
        matched(receive, from, source, tag);
        if (length == 0) {
            // An offered message may be empty, if it was offered since there was no credit. No piece of it would
            // follow.
            if (!from.failed) {
                notices.sendMatched(from, senderId);
            }
            finish(receive, 0);
            return;
        }
        receive.messageBytes = length;
        receive.arrivedBytes = 0;
        receive.handshakeId = ++lastHandshakeId;
        streaming.put(receive.handshakeId, receive);
        receive.senderId = senderId;
        if (receive.place.mayComeWhole()) {
            from.lentOffers.put(senderId, receive);
        }
        if (receive.place.isLent() && !from.failed && pulls.begin(receive)) {
            return;
        }
        notices.sendClearToSend(from, senderId, receive.handshakeId);
    }

    private static void matched(ReceiveOperation receive, Peer from, int source, int tag) {
        receive.setPeer(from);
        receive.source = source;
        receive.tag = tag;
    }

    /** Copies the bytes that the target has room for; the rest of a message that is too long is dropped. */
    static void copy(ByteBuffer bytes, Payload target, long position) {
        long room = target.lengthBytes() - position;
        if (room <= 0) {
            return;
        }
        if (bytes.remaining() > room) {
            bytes.limit(bytes.position() + (int) room);
        }
        target.copyIn(position, bytes);
    }

    /**
     * Ends a receive all of whose bytes have arrived. For a point-to-point receive a shorter message fits too. For a
     * receive of a collective operation the length must be exactly that of the buffer: another length means that ranks
     * gave different counts.
     */
    private static void finish(ReceiveOperation receive, long messageBytes) {
        long capacity = receive.payload.lengthBytes();
        boolean fits = receive.run == null ? messageBytes <= capacity : messageBytes == capacity;
        receive.lengthBytes = Math.min(messageBytes, capacity);
        receive.messageBytes = messageBytes;
        receive.finish(fits ? ErrorClass.SUCCESS : ErrorClass.TRUNCATE);
    }

    private UnexpectedMessage unexpected(Peer from, Frame frame, boolean synchronous) {
        UnexpectedMessage message = idle.isEmpty() ? new UnexpectedMessage() : idle.pollLast();
        message.from = from;
        message.source = frame.source();
        message.tag = frame.tag();
        message.lengthBytes = frame.lengthBytes();
        message.synchronous = synchronous;
        message.senderId = frame.senderId();
        message.offered = false;
        message.lost = false;
        return message;
    }

    private void recycle(UnexpectedMessage message) {
        tidy(message);
        keep(message);
    }

    /** Gives back the memory of a message that was received or thrown away, and its entry among the lent offers. */
    private void tidy(UnexpectedMessage message) {
        if (message.bytes != null) {
            memory.giveBack(message.bytes);
            message.bytes = null;
        }
        if (message.offered
                && message.place.mayComeWhole()
                && message.from.lentOffers.get(message.senderId) == message) {
            message.from.lentOffers.remove(message.senderId);
        }
        message.from = null;
    }

    private void keep(UnexpectedMessage message) {
        if (idle.size() < KEPT_MESSAGES) {
            idle.addLast(message);
        }
    }
}
