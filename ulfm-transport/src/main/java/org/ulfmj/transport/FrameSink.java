package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;

/** What a {@link Fabric} tells the rank that polls it. Called on the polling thread, inside the poll. */
public interface FrameSink {
    /** A frame arrived; it and its buffer are valid only during the call. */
    void onFrame(ProcessId from, LaneKind lane, Frame frame);

    /** {@link Fabric#drain} is done: what had arrived from the peer was handed over. */
    void onDrained(ProcessId peer);

    /** The connection to the peer is gone and will not be resumed. Not evidence of death. */
    void onLinkBroken(ProcessId peer);

    /** The lifeline to the peer ended. Evidence only together with its process being gone. */
    void onLifelineLost(ProcessId peer);

    /** The peer proved that it holds us for failed: we must fence ourselves. */
    void onExcluded(ProcessId by);
}
