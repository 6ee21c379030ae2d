package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FramedShortPath;
import org.ulfmj.transport.LaneKind;

/** The short path between ranks that are threads. */
final class LocalShortPath extends FramedShortPath {
    private final LocalFabric fabric;
    private final ProcessId peer;
    /** The lanes from the peer; null until they were found. */
    private LocalPair pair;
    /** The array of all lanes in which the lanes of the peer were last looked for. */
    private LocalPair[] searched;

    LocalShortPath(LocalFabric fabric, ProcessId peer) {
        super(fabric, peer);
        this.fabric = fabric;
        this.peer = peer;
    }

    /**
     * Looks for the lanes of the peer only if the array of all lanes has changed since the last look, as there may be
     * many lanes.
     */
    @Override
    public boolean isOpen() {
        if (pair == null && fabric.pairs() != searched) {
            searched = fabric.pairs();
            pair = fabric.pairFrom(peer);
        }
        return pair != null && fabric.reads(pair);
    }

    @Override
    public void hold(boolean isHeld) {
        if (isOpen()) {
            pair.isHeld = isHeld;
        }
    }

    @Override
    protected boolean isCutOff() {
        return fabric.isCutOff(peer);
    }

    /** Only control lanes tell of an exclusion, so each record of the data lane holds a frame. */
    @Override
    protected Frame nextFrame() {
        LocalRecord record = pair.peek(LaneKind.DATA);
        return record == null ? null : record.frame;
    }

    @Override
    protected void takeNext() {
        pair.release(LaneKind.DATA, pair.next(LaneKind.DATA));
    }
}
