package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/** The state that one rank, the owner, keeps of another rank, the peer. Under the engine lock of the owner. */
final class LocalPeer {
    final ProcessId id;
    final LocalFabric room;
    /**
     * The record of an admitted peer in a slot that the first world did not have, until the first frame is sent to it,
     * as the peer may not know its own name before (rule G10). Null otherwise.
     */
    MemberRecord uncalled;

    /** The lanes to the peer; null until the first frame is sent, and once the peer is abandoned. */
    LocalPair outbound;
    /** Whether frames to the peer are dropped, because it was abandoned or has departed. */
    boolean isCutOff;

    boolean isAbandoned;
    /** Whether no frame of the peer is handed over any more: it was drained or abandoned. */
    boolean isSilenced;

    LocalPeer(LocalFabric room) {
        this.id = room.id();
        this.room = room;
    }
}
