package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;

/** What one rank knows of another. Under its engine lock. */
final class LocalPeer {
    final ProcessId id;
    final LocalFabric room;
    /** The lanes to the peer; null until the first frame. */
    LocalPair outbound;
    /** Abandoned or departed: frames to it are thrown away. */
    boolean isCutOff;

    boolean isAbandoned;
    /** What it had sent before its end was handed over, or is not wanted. */
    boolean isSilenced;

    LocalPeer(LocalFabric room) {
        this.id = room.id();
        this.room = room;
    }
}
