package org.ulfmj.check.link;

import java.util.function.LongConsumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.session.LinkIdentity;

/** A simulated process that does nothing but run its link sessions. */
final class LinkProcess implements LinkHome, Protocol<Integer, Object> {
    private final LinkWorld world;
    private final LinkHost host;
    private final SimProcess<Integer, Object> process;

    LinkProcess(LinkWorld world, LinkHost host, SimProcess<Integer, Object> process) {
        this.world = world;
        this.host = host;
        this.process = process;
        process.onEnd(this::onEnd);
        process.start(this, (nowNs, out) -> {});
    }

    private void onEnd() {
        host.closeAll();
        world.ended(host);
    }

    @Override
    public SimProcess<?, ?> process() {
        return process;
    }

    @Override
    public void step(String verb, int other, LongConsumer step) {
        process.input(verb, other, null, (nowNs, out) -> step.accept(nowNs));
    }

    /** Does nothing: the process asks for its next deadline itself. */
    @Override
    public void timerAt(long deadlineNs) {}

    /** Does nothing: the sessions count their frames. */
    @Override
    public void takes(LinkIdentity from, long number) {}

    /** Does nothing: the session itself knows that its peer has departed. */
    @Override
    public void departed(LinkIdentity peer) {}

    /** Does nothing: the session itself knows that this process is marked. */
    @Override
    public void excluded(LinkIdentity by) {}

    /** Does nothing: the session itself knows that its budget is spent. */
    @Override
    public void lost(LinkIdentity peer) {}

    @Override
    public void hasLeft() {
        world.simulation().at(world.simulation().nowNs(), () -> process.end(SimProcess.End.LEFT));
    }

    @Override
    public void onMessage(Integer from, Object message, long nowNs, Outbox<Integer, Object> out) {
        throw new IllegalStateException("messages come over connections here");
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Object> out) {
        host.onTick(nowNs);
    }

    @Override
    public long nextDeadlineNs() {
        return host.nextDeadlineNs();
    }
}
