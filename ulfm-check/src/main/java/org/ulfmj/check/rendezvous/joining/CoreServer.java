package org.ulfmj.check.rendezvous.joining;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;

/**
 * The rendezvous core with a simple model of the server's sockets: only the newest connection of each process counts.
 * Events of the core for the launcher are ignored unless a subclass handles them.
 *
 * @param <P> a message with the number of its sender's or receiver's connection
 */
public abstract class CoreServer<P> implements Protocol<Integer, P>, ServerListener {
    public static final int NODE = 0;

    private final RendezvousCore core;
    private final SimProcess<Integer, P> process;
    private final Map<Integer, Integer> connections = new TreeMap<>();

    protected CoreServer(RunSpec run, SimProcess<Integer, P> process) {
        this.core = new RendezvousCore(run, this);
        this.process = process;
    }

    protected abstract P packet(int connection, RendezvousMessage message);

    protected abstract int connectionOf(P packet);

    protected abstract RendezvousMessage messageOf(P packet);

    /** Called before the core takes a message, which has come on the sender's newest connection. */
    protected void takes(int from, RendezvousMessage message) {}

    /** Called when the core sends a message to a process, which may have no connection. */
    protected void says(long nonce, RendezvousMessage message) {}

    protected final RendezvousCore core() {
        return core;
    }

    public final RendezvousCore.Phase phase() {
        return core.phase();
    }

    public final SimProcess<Integer, P> process() {
        return process;
    }

    /** Returns the outbox of the core. A process's node and nonce are the same number here. */
    protected final Outbox<Long, RendezvousMessage> toAll(Outbox<Integer, P> out) {
        return (nonce, message) -> {
            says(nonce, message);
            int node = nonce.intValue();
            Integer connection = connections.get(node);
            if (connection != null) {
                out.send(node, packet(connection, message));
            }
        };
    }

    @Override
    public void onMessage(Integer from, P packet, long nowNs, Outbox<Integer, P> out) {
        int newest = Math.max(connectionOf(packet), connections.getOrDefault(from, 0));
        connections.put(from, newest);
        if (connectionOf(packet) == newest) {
            takes(from, messageOf(packet));
            core.onMessage((long) from, messageOf(packet), nowNs, toAll(out));
        }
    }

    @Override
    public final void onTick(long nowNs, Outbox<Integer, P> out) {
        core.onTick(nowNs, toAll(out));
    }

    @Override
    public final long nextDeadlineNs() {
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
    public void onFenced(ProcessId fenced, String reason) {}

    @Override
    public void onAbort(ProcessId by, int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}
}
