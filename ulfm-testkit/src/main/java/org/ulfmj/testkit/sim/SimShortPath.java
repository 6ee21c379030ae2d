package org.ulfmj.testkit.sim;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FramedShortPath;
import org.ulfmj.transport.LaneKind;

/** The short path in simulated time: takes what has arrived on the data lane and was not polled yet. */
final class SimShortPath extends FramedShortPath {
    private final SimFabric fabric;
    private final ProcessId peer;
    /** The record of the frame that was returned last. */
    private SimRecord next;

    SimShortPath(SimFabric fabric, ProcessId peer) {
        super(fabric, peer);
        this.fabric = fabric;
        this.peer = peer;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void hold(boolean isHeld) {
        fabric.hold(isHeld ? peer : null);
    }

    @Override
    protected boolean isCutOff() {
        return fabric.isCutOff(peer);
    }

    @Override
    protected Frame nextFrame() {
        next = fabric.firstArrived(peer, LaneKind.DATA);
        return next == null ? null : next.frame;
    }

    @Override
    protected void takeNext() {
        fabric.take(next);
    }
}
