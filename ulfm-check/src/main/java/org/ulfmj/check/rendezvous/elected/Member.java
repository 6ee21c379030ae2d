package org.ulfmj.check.rendezvous.elected;

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
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/**
 * A simulated process of a static job. It finds the coordinator in etcd, and dials anew when another one has the
 * office. Its node and its nonce are the same number.
 */
final class Member implements Protocol<Integer, Line>, ClientListener {
    private final ProcessId id;
    private final SimProcess<Integer, Line> process;
    private final JoinSession session;
    private final SortedSet<Long> answers = new TreeSet<>();
    private final SortedSet<ProcessId> gone = new TreeSet<>();

    /** The node to which this process is connected; {@link Line#NONE} if it is not connected. */
    private int target = Line.NONE;

    private int connection;
    private int dials;
    private long lookNs = Long.MIN_VALUE;
    private long giveUpNs = Long.MAX_VALUE;
    private String whyNot;
    private boolean isFenced;
    private boolean wasRunning;
    private boolean hasStoodStill;

    Member(ProcessId id, SimProcess<Integer, Line> process) {
        this.id = id;
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

    SimProcess<Integer, Line> process() {
        return process;
    }

    void init() {
        process.start(this, (nowNs, out) -> {
            giveUpNs = nowNs + Times.PATIENCE_NS;
            onTick(nowNs, out);
        });
    }

    /** Stands still for a while. */
    void pause(long durationNs) {
        hasStoodStill = true;
        process.pause(durationNs);
    }

    /** Whether the process has ever stood still, and so may be taken for silent. */
    boolean hasStoodStill() {
        return hasStoodStill;
    }

    /** The connection to a coordinator breaks, because that coordinator has ended. */
    void loseLine(int coordinator) {
        process.input("loses its line to", coordinator, null, (nowNs, out) -> {
            target = target == coordinator ? Line.NONE : target;
        });
    }

    void sayGoodbye() {
        process.input("says goodbye", Etcd.NODE, null, (nowNs, out) -> {
            if (isRunning()) {
                session.goodbye(SlotSet.EMPTY, to(out));
            }
        });
    }

    private Consumer<RendezvousMessage> to(Outbox<Integer, Line> out) {
        int now = connection;
        int there = target;
        return message -> {
            if (there != Line.NONE) {
                out.send(there, Line.said(now, message));
            }
        };
    }

    @Override
    public void onMessage(Integer from, Line line, long nowNs, Outbox<Integer, Line> out) {
        if (line.kind() == Line.Kind.SEEN) {
            if (line.address() != Line.NONE && line.address() != target) {
                target = line.address();
                connection++;
                dials++;
                session.onConnected(to(out));
            }
        } else if (from == target && line.number() == connection) {
            if (line.kind() == Line.Kind.CLOSED) {
                target = Line.NONE;
            } else {
                session.onMessage(line.message(), to(out), this);
                answers.forEach(question -> to(out).accept(new RendezvousMessage.Here(question)));
                answers.clear();
            }
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Line> out) {
        if (nowNs >= lookNs) {
            lookNs = nowNs + Times.POLL_NS;
            out.send(Etcd.NODE, Line.looks());
        }
        if (nowNs >= giveUpNs) {
            giveUpNs = Long.MAX_VALUE;
            whyNot = session.isSettled() ? whyNot : "no answer";
        }
    }

    @Override
    public long nextDeadlineNs() {
        return Math.min(lookNs, giveUpNs);
    }

    private void afterStep() {
        if (session.isSettled()) {
            giveUpNs = Long.MAX_VALUE;
        }
        wasRunning |= isRunning();
        if (session.state() == JoinSession.State.OUT) {
            whyNot = session.out().reason() + ": " + session.out().text();
        }
        if (isFenced) {
            process.end(SimProcess.End.FENCED);
        } else if (whyNot != null || session.isGoodbyeHeard()) {
            process.end(SimProcess.End.LEFT);
        }
    }

    boolean isRunning() {
        return process.isRunning() && session.state() == JoinSession.State.RUNNING;
    }

    boolean isSettled() {
        return session.isSettled();
    }

    /** Whether the process has ever been part of a world. */
    boolean wasRunning() {
        return wasRunning;
    }

    int round() {
        return session.round();
    }

    List<MemberRecord> table() {
        return session.table();
    }

    /** The node to which this process is connected; {@link Line#NONE} if it is not connected. */
    int target() {
        return target;
    }

    /** How often the process has dialed. */
    int dials() {
        return dials;
    }

    boolean knowsEndOf(ProcessId other) {
        return gone.contains(other);
    }

    /** The reason for which the process was told to end, or gave up; null if neither has happened. */
    String whyNot() {
        return whyNot;
    }

    @Override
    public void onDeath(ProcessId other, String reason) {
        gone.add(other);
    }

    @Override
    public void onDeparted(ProcessId other) {
        gone.add(other);
    }

    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        answers.add(question);
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        // Goes on in the new world.
    }

    @Override
    public void onOut(OutReason reason, String text) {
        whyNot = reason + ": " + text;
    }

    @Override
    public void onFence(String reason) {
        isFenced = true;
        whyNot = reason;
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
