package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;

/** Receives the frames and events of a {@link Fabric}. Called on the polling thread, inside the poll. */
public interface FrameSink {
    /** A frame arrived. The frame and its buffer are valid only during the call. */
    void onFrame(ProcessId from, LaneKind lane, Frame frame);

    /**
     * Gives the message into which a medium may read the payload of an arriving CHUNK directly, at the chunk's
     * {@link Frame#position}: the program's {@link Payload#memory} then takes the bytes without a copy. Null if the
     * payload is to be handed over with the frame. Asked anew before each read, as the receive may end between two
     * reads; then the medium throws away the rest of the payload.
     *
     * @param chunk the header; {@link Frame#payloadBytes} is the length of the whole payload
     */
    default Payload placeOf(ProcessId from, Frame chunk) {
        return null;
    }

    /** {@link Fabric#drain} is done: all frames that had arrived from the peer were handed over. */
    void onDrained(ProcessId peer);

    /**
     * The link to the peer has made no progress for the whole link budget, or a lane from the peer in shared memory
     * cannot be read. This is no evidence of a death. The loss of a connection alone is reported only with
     * {@code ulfm.link.retry=off}. Frames that are offered meanwhile are kept, as far as there is room.
     */
    void onLinkBroken(ProcessId peer);

    /** The peer is reached again: withdraws an earlier {@link #onLinkBroken}. */
    void onLinkRestored(ProcessId peer);

    /**
     * The lifeline to the peer ended, or could not be opened within the link budget. This is evidence of a death only
     * if the peer's process is gone too.
     */
    void onLifelineLost(ProcessId peer);

    /**
     * The peer has told this rank that it has marked this rank failed, or knows a later process of its slot. This rank
     * must end itself.
     */
    void onExcluded(ProcessId by);

    /**
     * Rule G10: the process at the peer's address, which has the peer's nonce, has answered that it has another name.
     * So no process has the name by which this rank knows the peer. Reported once per peer.
     */
    default void onNotMe(ProcessId peer) {}
}
