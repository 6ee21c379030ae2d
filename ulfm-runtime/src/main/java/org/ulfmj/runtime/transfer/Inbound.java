package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.CommunicatorTable;
import org.ulfmj.runtime.message.HeldFrames;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/** Passes the frames that arrive to the parts that handle them, or holds or drops them. Under the engine lock. */
public final class Inbound implements FrameSink {
    /**
     * The protocols of the rank. They receive the control messages and the news of the medium, such as a broken link.
     */
    public interface Protocols {
        /** Whether this rank has ended, so that frames that arrive are ignored. */
        boolean isOver();

        void onMessage(ProcessId from, ByteBuffer message);

        /** Whether a communicator is revoked; also answers for one that does not exist at this rank. */
        boolean isRevoked(long communicator);

        /**
         * Whether a communicator that this rank had is needed by no live member any more; false also once this rank has
         * dropped its note of that.
         */
        boolean hasForgotten(long communicator);

        void revoke(MessageContext communicator);

        /** Tells that everything that had arrived from these dead processes has been read. */
        void onDrained(List<ProcessId> processes);

        void onLinkBroken(ProcessId peer);

        void onLinkRestored(ProcessId peer);

        void onLifelineLost(ProcessId peer);

        /** Called when a process says over its link that it has marked this rank failed. */
        void onExcluded(ProcessId by);

        /**
         * Whether this rank accepts messages of processes that were not introduced to it. A process of an elastic job
         * does while it waits to be let into the world, since it does not know all its members.
         */
        boolean takesStrangers();

        /** Called when the process at the peer's address has answered that it is not this peer. */
        void onNotMe(ProcessId peer);
    }

    private final Protocols protocols;
    private final Peers peers;
    private final CommunicatorTable<? extends MessageContext> communicators;
    private final Matching matching;
    private final Outbound outbound;
    private final HeldFrames<Peer> held = new HeldFrames<>();
    /** The dead processes from which the running poll has read everything that had arrived. */
    private final List<ProcessId> drained = new ArrayList<>();

    Inbound(
            Protocols protocols,
            Peers peers,
            CommunicatorTable<? extends MessageContext> communicators,
            Matching matching,
            Outbound outbound) {
        this.protocols = protocols;
        this.peers = peers;
        this.communicators = communicators;
        this.matching = matching;
        this.outbound = outbound;
    }

    /** How many frames wait for their communicator. */
    public int heldFrames() {
        return held.size();
    }

    /**
     * Drops the held frames of a failed process, except those of the program's point-to-point messages. No collective
     * operation with that process can end well, so its frames are of no use.
     */
    public void dropFrom(ProcessId failed) {
        held.dropFrom(peers.of(failed));
    }

    @Override
    public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
        Peer peer = peers.of(from);
        if (peer == null && protocols.takesStrangers()) {
            peers.introduce(from);
            peer = peers.of(from);
        }
        if (peer == null || protocols.isOver()) {
            return;
        }
        switch (frame.type()) {
            case CONTROL -> protocols.onMessage(from, frame.received());
            case EAGER, RTS -> onEnvelope(peer, frame);
            default -> {
                // Answers of a process that is marked failed are ignored (R0). Its control messages are judged by the
                // survivor core, which has the same failure marks.
                if (!peer.failed) {
                    onAnswer(peer, frame);
                }
            }
        }
    }

    @Override
    public Payload placeOf(ProcessId from, Frame chunk) {
        Peer peer = peers.of(from);
        return peer == null || peer.failed || protocols.isOver() ? null : matching.placeOf(peer, chunk);
    }

    private void onAnswer(Peer peer, Frame frame) {
        switch (frame.type()) {
            case CTS -> outbound.onClearToSend(peer, frame.senderId(), frame.receiverId());
            case CHUNK -> matching.onChunk(peer, frame);
            case SYNC_ACK -> outbound.onMatched(peer, frame.senderId(), frame.copiedBytes());
            case NACK -> onRefusal(peer, frame);
            case CREDIT -> outbound.onGrant(peer, frame.grantedBytes());
            case MAY_ANNOUNCE -> onMayAnnounce(peer, frame);
            case DIVIDE -> outbound.onDivide(peer, frame);
            default -> throw new WireFormatException("no handler for " + frame);
        }
    }

    private void onMayAnnounce(Peer from, Frame frame) {
        MessageContext communicator = communicators.get(frame.communicator());
        if (communicator != null) {
            outbound.onMayAnnounce(communicator, from, frame.announceable());
        }
    }

    private void onEnvelope(Peer from, Frame frame) {
        if (from.failed || from.departed && frame.type() == FrameType.RTS) {
            return;
        }
        if (frame.stream() > MessageKey.DESCRIPTION) {
            throw new WireFormatException("stream " + frame.stream() + " in " + frame + " from " + from);
        }
        boolean isWhole = frame.type() == FrameType.EAGER;
        if (isWhole ? frame.lengthBytes() != frame.payloadBytes() : frame.lengthBytes() < 0) {
            throw new WireFormatException("wrong length in " + frame + " from " + from);
        }
        MessageContext communicator = communicators.get(frame.communicator());
        if (communicator != null) {
            dispatch(communicator, from, frame);
        } else if (communicators.isGone(frame.communicator()) || protocols.hasForgotten(frame.communicator())) {
            matching.drop(from, frame, null);
        } else if (protocols.isRevoked(frame.communicator())) {
            matching.drop(from, frame, ErrorClass.REVOKED);
        } else {
            held.hold(from, frame);
        }
    }

    /** Dispatches the frames that arrived before their communicator was made; it exists from now on. */
    public void release(MessageContext communicator) {
        // Each held frame is removed before the next one is copied into a message, to save memory: there may be very
        // many.
        Queue<HeldFrames.Held<Peer>> early = held.take(communicator.id);
        for (HeldFrames.Held<Peer> next = early.poll(); next != null; next = early.poll()) {
            dispatch(communicator, next.from(), next.frame());
        }
    }

    /**
     * Drops the frames that were held for a communicator that is revoked and does not exist at this rank. Tells the
     * senders that wait for an answer that it is revoked, and gives the credit of whole messages back.
     */
    public void dropHeld(long communicator) {
        for (HeldFrames.Held<Peer> early : held.take(communicator)) {
            matching.drop(early.from(), early.frame(), ErrorClass.REVOKED);
        }
    }

    private void dispatch(MessageContext communicator, Peer from, Frame frame) {
        if (!communicator.hasAt(frame.source(), from)) {
            throw new WireFormatException(from + " claims to be rank " + frame.source() + " of " + communicator);
        }
        if (communicator.revoked) {
            matching.drop(from, frame, ErrorClass.REVOKED);
        } else if (frame.stream() != MessageKey.POINT_TO_POINT && communicator.collectivesBroken) {
            matching.drop(from, frame, null);
        } else if (frame.stream() == MessageKey.DESCRIPTION) {
            communicator.descriptions().on(frame.source(), frame.tag(), frame.description());
        } else if (frame.type() == FrameType.EAGER && frame.wasOffered()) {
            matching.onPushed(communicator, from, frame);
        } else if (frame.type() == FrameType.EAGER) {
            matching.onMessage(communicator, from, frame);
        } else {
            matching.onOffer(communicator, from, frame);
        }
    }

    /**
     * Handles a receiver's refusal of a message of this rank. If the reason is that the communicator is revoked there,
     * this rank revokes it too.
     */
    private void onRefusal(Peer from, Frame frame) {
        SendOperation send = outbound.answered(from, frame.senderId());
        if (send != null && frame.errorCode() == ErrorClass.REVOKED.code()) {
            protocols.revoke(send.communicator);
        }
    }

    @Override
    public void onDrained(ProcessId peer) {
        drained.add(peer);
    }

    /**
     * Tells the protocols, all together, the dead processes from which the last poll of the fabric has read everything.
     * To be called after that poll.
     */
    public void markDrained() {
        if (!drained.isEmpty()) {
            List<ProcessId> dead = List.copyOf(drained);
            drained.clear();
            protocols.onDrained(dead);
        }
    }

    @Override
    public void onLinkBroken(ProcessId peer) {
        protocols.onLinkBroken(peer);
    }

    @Override
    public void onLinkRestored(ProcessId peer) {
        protocols.onLinkRestored(peer);
    }

    @Override
    public void onLifelineLost(ProcessId peer) {
        protocols.onLifelineLost(peer);
    }

    @Override
    public void onExcluded(ProcessId by) {
        protocols.onExcluded(by);
    }

    @Override
    public void onNotMe(ProcessId peer) {
        protocols.onNotMe(peer);
    }
}
