package org.ulfmj.rendezvous.scenario;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.OutReason;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RendezvousMessage;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.sim.SimProcess;

/** The core behind its sockets, as little of them as matters: the newest connection of each process counts. */
final class Launcher implements Protocol<Integer, Packet>, ServerListener {
    static final int NODE = 0;

    private final RendezvousCore core;
    private final SimProcess<Integer, Packet> process;
    private final Map<Integer, Integer> connections = new TreeMap<>();

    Launcher(RunSpec run, SimProcess<Integer, Packet> process) {
        this.core = new RendezvousCore(run, this);
        this.process = process;
    }

    RendezvousCore.Phase phase() {
        return core.phase();
    }

    SimProcess<Integer, Packet> process() {
        return process;
    }

    /** Node and nonce of a rank are one number here. */
    private Outbox<Long, RendezvousMessage> toRanks(Outbox<Integer, Packet> out) {
        return (nonce, message) -> {
            int node = nonce.intValue();
            Integer connection = connections.get(node);
            if (connection != null) {
                out.send(node, new Packet(connection, message));
            }
        };
    }

    @Override
    public void onMessage(Integer from, Packet packet, long nowNs, Outbox<Integer, Packet> out) {
        int newest = Math.max(packet.connection(), connections.getOrDefault(from, 0));
        connections.put(from, newest);
        if (packet.connection() == newest) {
            core.onMessage((long) from, packet.message(), nowNs, toRanks(out));
        }
    }

    void learnOfEnd(Rank rank, String how) {
        process.input(
                "told of the end of",
                rank.node(),
                how,
                (nowNs, out) -> core.onEnded(rank.id(), how, nowNs, toRanks(out)));
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Packet> out) {
        core.onTick(nowNs, toRanks(out));
    }

    @Override
    public long nextDeadlineNs() {
        return core.nextDeadlineNs();
    }

    @Override
    public void onJoined(ProcessId joined) {}

    @Override
    public void onFinal() {}

    @Override
    public void onClosed(OutReason reason, String text) {}

    @Override
    public void onGoodbye(ProcessId from, SlotSet heldForFailed) {}

    @Override
    public void onReached(ProcessId from, int rule) {}

    @Override
    public void onUnreachable(ProcessId from, ProcessId about) {}

    @Override
    public void onFenced(ProcessId fenced, String reason) {}

    @Override
    public void onAbort(ProcessId by, int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}
}
