package org.ulfmj.check.rendezvous.joining;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinSession;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** A simulated process of the job: it calls Init, runs, says goodbye and ends. */
final class JoiningRank implements Protocol<Integer, Packet>, ClientListener {
    private final ProcessId id;
    private final long patienceNs;
    private final SimProcess<Integer, Packet> process;
    private final JoinSession session;
    private final SortedSet<ProcessId> dead = new TreeSet<>();
    private final SortedSet<ProcessId> departed = new TreeSet<>();
    private int connection;
    private long giveUpNs = Long.MAX_VALUE;
    private String whyNot;
    private boolean fenced;
    private boolean wasRunning;

    JoiningRank(ProcessId id, long patienceNs, SimProcess<Integer, Packet> process) {
        this.id = id;
        this.patienceNs = patienceNs;
        this.process = process;
        this.session = new JoinSession(new MemberRecord(
                id, process.node(), 0, "127.0.0.1", 1, "", new HostProcess(process.node(), 1, 1, "boot")));
        process.afterStep(this::afterStep);
    }

    ProcessId id() {
        return id;
    }

    int node() {
        return process.node();
    }

    SimProcess<Integer, Packet> process() {
        return process;
    }

    /** Calls Init. */
    void init() {
        process.start(this, (nowNs, out) -> {
            giveUpNs = nowNs + patienceNs;
            connect(out);
        });
    }

    /** Breaks the connection, and dials again. */
    void reconnect() {
        process.input("dials again", StaticLauncher.NODE, connection + 1, (nowNs, out) -> connect(out));
    }

    void loseLauncher() {
        process.input("loses the launcher", StaticLauncher.NODE, null, (nowNs, out) -> whyNot = "the launcher is gone");
    }

    void sayGoodbye() {
        process.input("says goodbye", StaticLauncher.NODE, null, (nowNs, out) -> {
            if (session.state() == JoinSession.State.RUNNING) {
                session.goodbye(SlotSet.EMPTY, to(out));
            }
        });
    }

    private void connect(Outbox<Integer, Packet> out) {
        connection++;
        session.onConnected(to(out));
    }

    private Consumer<RendezvousMessage> to(Outbox<Integer, Packet> out) {
        int now = connection;
        return message -> out.send(StaticLauncher.NODE, new Packet(now, message));
    }

    @Override
    public void onMessage(Integer from, Packet packet, long nowNs, Outbox<Integer, Packet> out) {
        if (packet.connection() == connection) {
            session.onMessage(packet.message(), to(out), this);
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Packet> out) {
        if (nowNs >= giveUpNs) {
            giveUpNs = Long.MAX_VALUE;
            whyNot = session.isSettled() ? whyNot : "no answer";
        }
    }

    @Override
    public long nextDeadlineNs() {
        return giveUpNs;
    }

    private void afterStep() {
        if (session.state() == JoinSession.State.RUNNING) {
            giveUpNs = Long.MAX_VALUE;
            wasRunning = true;
        } else if (session.state() == JoinSession.State.OUT) {
            whyNot = session.out().reason() + ": " + session.out().text();
        }
        if (fenced) {
            process.end(SimProcess.End.FENCED);
        } else if (whyNot != null || session.isGoodbyeHeard()) {
            process.end(SimProcess.End.LEFT);
        }
    }

    /** Whether the process has ever been part of the world. */
    boolean wasRunning() {
        return wasRunning;
    }

    boolean isRunning() {
        return process.isRunning() && session.state() == JoinSession.State.RUNNING;
    }

    List<MemberRecord> table() {
        return session.table();
    }

    /** The reason for which the process is not part of the world, or ended without a goodbye; null if it knows none. */
    String whyNot() {
        return whyNot;
    }

    boolean isGoodbyeHeard() {
        return session.isGoodbyeHeard();
    }

    SortedSet<ProcessId> dead() {
        return dead;
    }

    SortedSet<ProcessId> departed() {
        return departed;
    }

    @Override
    public void onDeath(ProcessId other, String reason) {
        dead.add(other);
    }

    @Override
    public void onDeparted(ProcessId other) {
        departed.add(other);
    }

    @Override
    public void onFence(String reason) {
        fenced = true;
    }

    @Override
    public void onAbort(int code, String reason) {
        whyNot = reason;
    }

    @Override
    public void onLauncherLost(String reason) {
        whyNot = reason;
    }
}
