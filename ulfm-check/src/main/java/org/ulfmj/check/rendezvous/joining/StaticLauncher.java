package org.ulfmj.check.rendezvous.joining;

import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;

/** The launcher of a world without restarts. */
final class StaticLauncher extends CoreServer<Packet> {
    StaticLauncher(RunSpec run, SimProcess<Integer, Packet> process) {
        super(run, process);
    }

    @Override
    protected Packet packet(int connection, RendezvousMessage message) {
        return new Packet(connection, message);
    }

    @Override
    protected int connectionOf(Packet packet) {
        return packet.connection();
    }

    @Override
    protected RendezvousMessage messageOf(Packet packet) {
        return packet.message();
    }

    void fence(JoiningRank rank) {
        process().input("fences", rank.node(), null, (nowNs, out) -> core().onFence(
                        rank.id(), "for a test", toAll(out)));
    }

    void learnOfEnd(JoiningRank rank, String how) {
        process().input("told of the end of", rank.node(), how, (nowNs, out) -> core().onEnded(
                        rank.id(), how, nowNs, toAll(out)));
    }
}
