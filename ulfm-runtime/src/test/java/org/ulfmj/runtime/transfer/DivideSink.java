package org.ulfmj.runtime.transfer;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;

/** Keeps the header of the last frame that arrived. */
final class DivideSink implements FrameSink {
    private final Frame last;

    DivideSink(Frame last) {
        this.last = last;
    }

    @Override
    public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
        last.copyHeaderOf(frame);
    }

    @Override
    public void onDrained(ProcessId peer) {
        throw new IllegalStateException("no process has died");
    }

    @Override
    public void onLinkBroken(ProcessId peer) {
        throw new IllegalStateException("there are no links");
    }

    @Override
    public void onLinkRestored(ProcessId peer) {
        throw new IllegalStateException("there are no links");
    }

    @Override
    public void onLifelineLost(ProcessId peer) {
        throw new IllegalStateException("there are no lifelines");
    }

    @Override
    public void onExcluded(ProcessId by) {
        throw new IllegalStateException("no process is excluded");
    }
}
