package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;

/** What a {@link Fabric} tells the rank that polls it. Called on the polling thread, inside the poll. */
public interface FrameSink {
    /** A frame arrived; it and its buffer are valid only during the call. */
    void onFrame(ProcessId from, LaneKind lane, Frame frame);

    /** {@link Fabric#drain} is done: what had arrived from the peer was handed over. */
    void onDrained(ProcessId peer);

    /**
     * The connection to the peer is gone, or none could be made for the whole link budget. Not evidence of death. What
     * is offered meanwhile is kept as far as there is room.
     */
    void onLinkBroken(ProcessId peer);

    /** A connection to the peer exists again, after {@link #onLinkBroken}: what that said is withdrawn. */
    void onLinkRestored(ProcessId peer);

    /** The lifeline to the peer ended. Evidence only together with its process being gone. */
    void onLifelineLost(ProcessId peer);

    /** The peer proved that it has marked us failed: we must fence ourselves. */
    void onExcluded(ProcessId by);
}
