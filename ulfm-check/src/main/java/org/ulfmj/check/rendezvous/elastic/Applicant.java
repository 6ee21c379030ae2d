package org.ulfmj.check.rendezvous.elastic;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinSession;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** A process that joins without a slot. Its node and its nonce are the same number. */
final class Applicant implements Protocol<Integer, Note>, ClientListener {
    private final SimProcess<Integer, Note> process;
    /** V15: null without leases. */
    private final HeldLease lease;

    private final int hostOrder;
    private final JoinSession session;
    /** Where answers of the present step go; null between steps. */
    private Consumer<RendezvousMessage> answers;

    private final SortedMap<ProcessId, Joiner> waiting = new TreeMap<>();
    private final Set<ProcessId> dead = new TreeSet<>();
    private final List<Admission> held = new ArrayList<>();

    /** The next slot number of the world that this process runs in. */
    private int next;

    private int connection;
    private int lastLostConnection;
    private int confirmed;
    private boolean leaves;
    private boolean fenced;
    private boolean excused;

    Applicant(int hostOrder, int localIndex, SimProcess<Integer, Note> process) {
        this(hostOrder, localIndex, process, null);
    }

    /** @param lease null for a process without one */
    Applicant(int hostOrder, int localIndex, SimProcess<Integer, Note> process, HeldLease lease) {
        this.process = process;
        this.lease = lease;
        this.hostOrder = hostOrder;
        HostProcess host = new HostProcess(process.node(), 1, 1, "boot");
        MemberRecord me = new MemberRecord(Joiner.NAMELESS, process.node(), 0, "127.0.0.1", 1, "", host);
        session = JoinSession.withoutSlot(new Joiner(hostOrder, localIndex, me), lease);
        process.afterStep(this::afterStep);
    }

    int node() {
        return process.node();
    }

    int host() {
        return hostOrder;
    }

    SimProcess<Integer, Note> process() {
        return process;
    }

    void init() {
        process.start(this, (nowNs, out) -> connect(nowNs, out));
    }

    /** @param isLossy whether messages on their way to the launcher are lost with the old connection */
    void reconnect(boolean isLossy) {
        if (isLossy) {
            lastLostConnection = connection;
        }
        process.input("dials again", ElasticLauncher.NODE, connection + 1, (nowNs, out) -> connect(nowNs, out));
    }

    /** Whether a message that comes from this connection now was lost when the connection broke. */
    boolean hasLost(int older) {
        return older <= lastLostConnection;
    }

    void leave() {
        process.input("leaves", ElasticLauncher.NODE, null, (nowNs, out) -> {
            session.leave("preempted", to(out));
            leaves = true;
        });
    }

    private void connect(long nowNs, Outbox<Integer, Note> out) {
        connection++;
        session.onConnected(nowNs, to(out));
    }

    private Consumer<RendezvousMessage> to(Outbox<Integer, Note> out) {
        int now = connection;
        return message -> {
            if (message instanceof RendezvousMessage.Confirm confirm) {
                confirmed = confirm.round();
            }
            out.send(ElasticLauncher.NODE, new Note(now, message, null));
        };
    }

    @Override
    public void onMessage(Integer from, Note note, long nowNs, Outbox<Integer, Note> out) {
        if (isLeaseOver(nowNs)) {
            return;
        }
        answers = to(out);
        if (note.welcome() != null) {
            held.add(note.welcome());
        } else if (note.connection() == connection) {
            boolean didRun = isRunning();
            session.onMessage(note.message(), to(out), this);
            if (!didRun && isRunning()) {
                next = session.table().size();
            }
        }
        takeWelcomes(out);
        answers = null;
    }

    /** V15: before any other step: this process may have stood still. */
    private boolean isLeaseOver(long nowNs) {
        fenced |= session.isLeaseOver(nowNs);
        return fenced;
    }

    /** Whether this process ends itself, as others may go on without it, whatever comes next. */
    boolean endsNow() {
        return fenced || session.isLeaseOver(process.clockNs());
    }

    /** V15: a welcome is taken while this process waits in its round, is kept while it may not be, and else is void. */
    private void takeWelcomes(Outbox<Integer, Note> out) {
        Iterator<Admission> each = held.iterator();
        while (each.hasNext()) {
            Admission welcome = each.next();
            if (isRunning() || welcome.round() < session.round()) {
                each.remove();
            } else if (session.mayBeAdmitted() && welcome.round() == session.round()) {
                each.remove();
                enterNow(welcome, out);
                for (MemberRecord member : welcome.members()) {
                    if (member.nonce() != node()) {
                        out.send((int) member.nonce(), new Note(0, null, welcome));
                    }
                }
            }
        }
    }

    private void enterNow(Admission world, Outbox<Integer, Note> out) {
        next = world.next();
        session.committed(world.epoch(), world.members(), world.digest(), to(out));
    }

    /** The members have decided: this one enters the epoch, and tells the launcher and the newcomers. */
    void enter(Admission world, List<Integer> newcomers, boolean isLauncherFirst) {
        process.input("enters", ElasticLauncher.NODE, world, (nowNs, out) -> {
            if (isLeaseOver(nowNs) || !isRunning()) {
                return;
            }
            if (isLauncherFirst) {
                enterNow(world, out);
            }
            for (int newcomer : newcomers) {
                out.send(newcomer, new Note(0, null, world));
            }
            if (!isLauncherFirst) {
                enterNow(world, out);
            }
        });
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Note> out) {
        if (!isLeaseOver(nowNs)) {
            session.keepAlive(nowNs, to(out));
        }
    }

    @Override
    public long nextDeadlineNs() {
        return lease == null ? Long.MAX_VALUE : session.nextLeaseDeadlineNs(true);
    }

    private void afterStep() {
        if (fenced) {
            process.end(SimProcess.End.FENCED);
        } else if (leaves || session.state() == JoinSession.State.OUT) {
            process.end(SimProcess.End.LEFT);
        }
    }

    boolean isRunning() {
        return process.isRunning() && session.state() == JoinSession.State.RUNNING;
    }

    boolean isPending() {
        return process.isRunning() && session.state() == JoinSession.State.PENDING;
    }

    boolean hasCalled() {
        return connection > 0;
    }

    int confirmed() {
        return confirmed;
    }

    int round() {
        return session.round();
    }

    int epoch() {
        return session.epoch();
    }

    int next() {
        return next;
    }

    List<MemberRecord> table() {
        return session.table();
    }

    /** The processes that this one knows to wait. */
    SortedMap<ProcessId, Joiner> waiting() {
        return waiting;
    }

    /** Why this process was told to end; null if it was not. */
    OutReason reason() {
        return session.out() == null ? null : session.out().reason();
    }

    boolean isFenced() {
        return fenced;
    }

    /** Notes that others have cause to go on without this process. */
    void excuse() {
        excused = true;
    }

    boolean isExcused() {
        return excused;
    }

    @Override
    public void onWaiting(Joiner joiner) {
        waiting.put(joiner.member().id(), joiner);
    }

    boolean knowsDead(ProcessId other) {
        return dead.contains(other);
    }

    @Override
    public void onDeath(ProcessId other, String reason) {
        dead.add(other);
        waiting.remove(other);
    }

    /** As a death: this process takes the other for failed. */
    @Override
    public void onSilenced(ProcessId other, String reason) {
        onDeath(other, reason);
    }

    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        answers.accept(new RendezvousMessage.Here(question));
    }

    @Override
    public void onDeparted(ProcessId other) {}

    @Override
    public void onFence(String reason) {
        fenced = true;
    }

    @Override
    public void onAbort(int code, String reason) {
        fenced = true;
    }

    @Override
    public void onLauncherLost(String reason) {}
}
