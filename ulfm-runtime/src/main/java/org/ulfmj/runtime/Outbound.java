package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/**
 * Everything a rank sends. What finds no room waits here, in order, and goes out at a later {@link #flush}: neither
 * protocols nor collectives see back-pressure. Under the engine lock.
 *
 * <p>A message up to the eager limit travels whole if the peer's credit allows; a longer one is offered and streamed in
 * pieces when its receive is there. Messages and offers of one peer keep their order; pieces and control frames may
 * overtake each other.
 */
final class Outbound {
    /** A piece of a large message: short, so that both sides copy at once, and long enough that its frame costs little. */
    static final int CHUNK_BYTES = 32 * 1024;
    /** What goes to one peer in one turn: as much as may be copied under the lock at once. */
    static final int TURN_BYTES = 64 * 1024;

    private final Fabric fabric;
    private final Loopback loopback;
    private final int eagerLimitBytes;
    private final Frame frame = new Frame();
    private final List<Peer> busy = new ArrayList<>();
    private final Long2ObjectHashMap<SendOperation> awaitingAnswer = new Long2ObjectHashMap<>();
    private long lastHandshakeId;
    private boolean closed;

    Outbound(Fabric fabric, Loopback loopback, int eagerLimitBytes) {
        this.fabric = fabric;
        this.loopback = loopback;
        this.eagerLimitBytes = eagerLimitBytes;
    }

    /** Nothing is sent any more: this rank is dead or fenced. */
    void close() {
        closed = true;
    }

    boolean hasBacklog() {
        return !busy.isEmpty();
    }

    /** Sends a message or its offer now, or as soon as there is room. */
    void submit(SendOperation send) {
        send.phase = SendOperation.Phase.QUEUED;
        send.handshakeId = 0;
        send.streamedBytes = 0;
        send.communicator.active.add(send);
        if (!send.peer.envelopes.isEmpty() || !sendEnvelope(send)) {
            send.peer.envelopes.addLast(send);
            markBusy(send.peer);
        }
    }

    /**
     * Takes a send that ends before its time out of all queues. One in line, for room or with its pieces, stays there as an
     * empty shell until its turn: a revocation may end a hundred thousand of them, and each search through the line would
     * take its length.
     */
    void forget(SendOperation send) {
        if (send.handshakeId != 0) {
            awaitingAnswer.remove(send.handshakeId);
        }
        switch (send.phase) {
            case QUEUED, STREAMING -> send.payload = null;
            default -> {}
        }
    }

    /**
     * A protocol message.
     *
     * @param flags {@link Frame#ACKNOWLEDGE} if this rank will wait for it to have arrived, {@link Frame#UNHURRIED}
     */
    void sendControl(Peer to, Payload message, int flags) {
        frame.reset(FrameType.CONTROL).flags = flags;
        frame.payload(message, 0, (int) message.lengthBytes());
        sendNotice(to);
    }

    /** The receive of an offered message is there. */
    void sendClearToSend(Peer to, long senderId, long receiverId) {
        frame.reset(FrameType.CTS).id = senderId;
        frame.peerId = receiverId;
        sendNotice(to);
    }

    /** A synchronous send was matched. */
    void sendMatched(Peer to, long senderId) {
        frame.reset(FrameType.SYNC_ACK).id = senderId;
        sendNotice(to);
    }

    /** An offered message will not be taken. */
    void sendRefusal(Peer to, long communicator, long senderId, ErrorClass reason) {
        frame.reset(FrameType.NACK).id = senderId;
        frame.communicator = communicator;
        frame.tag = reason.code();
        sendNotice(to);
    }

    /** Payload of the peer left our memory. */
    void onTaken(Peer from, long bytes) {
        if (from.credit.onTaken(bytes) && !from.failed) {
            frame.reset(FrameType.CREDIT).length = from.credit.grant();
            sendNotice(from);
        }
    }

    void onClearToSend(Peer from, long senderId, long receiverId) {
        SendOperation send = answered(from, senderId);
        if (send == null || send.phase != SendOperation.Phase.OFFERED) {
            return;
        }
        send.receiverId = receiverId;
        send.phase = SendOperation.Phase.STREAMING;
        from.streams.addLast(send);
        markBusy(from);
    }

    void onMatched(Peer from, long senderId) {
        SendOperation send = answered(from, senderId);
        if (send != null && send.phase == SendOperation.Phase.AWAITING_MATCH) {
            awaitingAnswer.remove(senderId);
            send.finish(ErrorClass.SUCCESS);
        }
    }

    /** A grant may let a queued message go whole, but nothing waits for it: without credit it is offered. */
    void onGrant(Peer from, long totalBytes) {
        from.credit.onGrant(totalBytes);
    }

    /** The send that the peer answers, or null if it is over. */
    SendOperation answered(Peer from, long senderId) {
        SendOperation send = awaitingAnswer.get(senderId);
        return send == null || send.peer != from ? null : send;
    }

    /** The peer failed or departed: what waited for room to it is thrown away. */
    void dropAll(Peer peer) {
        peer.notices.clear();
        peer.envelopes.clear();
        peer.streams.clear();
    }

    /** Sends what found no room before; returns how much went out. */
    int flush() {
        if (busy.isEmpty() || closed) {
            return 0;
        }
        int sent = 0;
        for (int i = 0; i < busy.size(); ) {
            Peer peer = busy.get(i);
            sent += flush(peer);
            if (peer.hasOutput()) {
                i++;
            } else {
                peer.isBusy = false;
                busy.remove(i);
            }
        }
        return sent;
    }

    private int flush(Peer peer) {
        int sent = 0;
        while (!peer.notices.isEmpty()) {
            peer.notices.peekFirst().writeTo(frame);
            if (!offer(peer, LaneKind.CONTROL)) {
                break;
            }
            peer.notices.pollFirst();
            sent++;
        }
        for (SendOperation send = peer.envelopes.peekFirst(); send != null; send = peer.envelopes.peekFirst()) {
            if (!send.done) {
                if (!sendEnvelope(send)) {
                    break;
                }
                sent++;
            }
            peer.envelopes.pollFirst();
        }
        return sent + stream(peer);
    }

    /** A few pieces a turn: whoever waits for the lock gets it between two turns. */
    private int stream(Peer peer) {
        int sent = 0;
        SendOperation stream = peer.streams.peekFirst();
        for (int bytes = 0; stream != null && bytes < TURN_BYTES; stream = peer.streams.peekFirst()) {
            if (stream.done) {
                peer.streams.pollFirst();
                continue;
            }
            if (!sendChunk(stream)) {
                break;
            }
            bytes += frame.payloadBytes;
            sent++;
        }
        return sent;
    }

    private void sendNotice(Peer to) {
        if (!to.notices.isEmpty() || !offer(to, LaneKind.CONTROL)) {
            to.notices.addLast(Notice.of(frame));
            markBusy(to);
        }
    }

    private boolean sendEnvelope(SendOperation send) {
        long length = send.payload.lengthBytes();
        boolean whole = length == 0 || length <= eagerLimitBytes && send.peer.credit.allows(length);
        frame.reset(whole ? FrameType.EAGER : FrameType.RTS);
        frame.stream = send.stream;
        frame.flags = send.synchronous ? Frame.SYNCHRONOUS : 0;
        frame.tag = send.tag;
        frame.communicator = send.communicator.id;
        frame.source = send.communicator.rank;
        frame.length = length;
        if (whole) {
            frame.payload(send.payload, 0, (int) length);
        }
        if (send.stream == CommunicatorState.DESCRIPTION) {
            frame.peerId = send.description;
        }
        if (!whole || send.synchronous) {
            frame.id = send.handshakeId == 0 ? lastHandshakeId + 1 : send.handshakeId;
        }
        if (!offer(send.peer, LaneKind.DATA)) {
            return false;
        }
        onEnvelopeSent(send, whole, length);
        return true;
    }

    private void onEnvelopeSent(SendOperation send, boolean whole, long length) {
        if (frame.id != 0) {
            lastHandshakeId = frame.id;
            send.handshakeId = frame.id;
            send.phase = whole ? SendOperation.Phase.AWAITING_MATCH : SendOperation.Phase.OFFERED;
            awaitingAnswer.put(send.handshakeId, send);
        }
        if (whole) {
            send.peer.credit.onSent(length);
            if (!send.synchronous) {
                send.finish(ErrorClass.SUCCESS);
            }
        }
    }

    private boolean sendChunk(SendOperation send) {
        long left = send.payload.lengthBytes() - send.streamedBytes;
        int bytes = (int) Math.min(left, CHUNK_BYTES);
        frame.reset(FrameType.CHUNK).peerId = send.receiverId;
        frame.length = send.streamedBytes;
        frame.payload(send.payload, send.streamedBytes, bytes);
        if (!offer(send.peer, LaneKind.DATA)) {
            return false;
        }
        send.streamedBytes += bytes;
        if (bytes == left) {
            send.peer.streams.pollFirst();
            awaitingAnswer.remove(send.handshakeId);
            send.finish(ErrorClass.SUCCESS);
        }
        return true;
    }

    private boolean offer(Peer to, LaneKind lane) {
        if (closed) {
            return true;
        }
        return to.isSelf ? loopback.offer(lane, frame) : fabric.offer(to.id, lane, frame);
    }

    private void markBusy(Peer peer) {
        if (!peer.isBusy) {
            peer.isBusy = true;
            busy.add(peer);
        }
    }
}
