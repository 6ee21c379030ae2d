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
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinSession;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/**
 * A process that joins without a slot. Its node and its nonce are the same number.
 *
 * @param <M> what the processes of its scenario say to each other
 */
public abstract class Applicant<M> implements Protocol<Integer, M>, ClientListener {
    /** Where a process has no line to a coordinator. */
    protected static final int NOWHERE = -1;

    /** The node of what is no process of the job: its launcher, or etcd. */
    private static final int NODE = 0;

    private final SimProcess<Integer, M> process;
    /** V15: null without leases. */
    private final HeldLease lease;

    private final int hostOrder;
    private final JoinSession session;
    /** Where answers of the present step go; null between steps. */
    private Consumer<RendezvousMessage> answers;

    private final SortedMap<ProcessId, Joiner> waiting = new TreeMap<>();
    /** Those that this process knows to have ended, by their deaths or departures. */
    private final Set<ProcessId> dead = new TreeSet<>();

    private final List<Admission> held = new ArrayList<>();

    /** The next slot number of the world that this process runs in. */
    private int next;

    private int connection;
    private int confirmed;
    private boolean leaves;
    private boolean finalized;
    private boolean fenced;
    private boolean excused;

    /** @param lease null for a process without one */
    protected Applicant(int hostOrder, int localIndex, SimProcess<Integer, M> process, HeldLease lease) {
        this.process = process;
        this.lease = lease;
        this.hostOrder = hostOrder;
        HostProcess host = new HostProcess(process.node(), 1, 1, "boot");
        MemberRecord me = new MemberRecord(Joiner.NAMELESS, process.node(), 0, "127.0.0.1", 1, "", host);
        session = JoinSession.withoutSlot(new Joiner(hostOrder, localIndex, me), lease);
        process.afterStep(this::afterStep);
    }

    /** The node of the coordinator to which this process has a line; {@link #NOWHERE} if it has none. */
    protected abstract int coordinator();

    /** A message to the coordinator, over a connection. */
    protected abstract M packet(int ofConnection, RendezvousMessage message);

    /** A member's word to a process that it is admitted. */
    protected abstract M welcome(Admission admission);

    public int node() {
        return process.node();
    }

    int host() {
        return hostOrder;
    }

    public SimProcess<Integer, M> process() {
        return process;
    }

    public void leave() {
        process.input("leaves", NODE, null, (nowNs, out) -> {
            session.leave("preempted", to(out));
            leaves = true;
        });
    }

    /**
     * All members have decided that the world is finished: this one notes it for its host, and says goodbye. Nothing
     * happens if it has ended meanwhile.
     */
    void finish() {
        process.input("finalizes", NODE, null, (nowNs, out) -> {
            finalized = true;
            session.goodbye(SlotSet.EMPTY, to(out));
        });
    }

    /** Whether this process has noted that its world is finished; the note outlives it. */
    public boolean hasFinalized() {
        return finalized;
    }

    /** Whether a coordinator has told this process that it has heard its goodbye. */
    public boolean isGoodbyeHeard() {
        return session.isGoodbyeHeard();
    }

    /** Whether this process, which has finalized, waits no longer for a coordinator that hears it. */
    protected boolean isPatienceOver() {
        return false;
    }

    /** Says over a new connection what is to be said on each. */
    protected final void connect(long nowNs, Outbox<Integer, M> out) {
        connection++;
        session.onConnected(nowNs, to(out));
    }

    private Consumer<RendezvousMessage> to(Outbox<Integer, M> out) {
        int now = connection;
        int there = coordinator();
        return message -> {
            if (message instanceof RendezvousMessage.Confirm confirm) {
                confirmed = confirm.round();
            }
            if (there != NOWHERE) {
                out.send(there, packet(now, message));
            }
        };
    }

    /** A word of the coordinator has come, or, in its place, that of a member: one of the two is null. */
    protected final void hear(RendezvousMessage message, Admission welcome, long nowNs, Outbox<Integer, M> out) {
        if (isLeaseOver(nowNs)) {
            return;
        }
        answers = to(out);
        if (welcome != null) {
            held.add(welcome);
        } else if (message != null) {
            boolean didRun = isRunning();
            session.onMessage(message, to(out), this);
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

    /** Whether this process ends itself, as others may go on without it, no matter what comes next. */
    boolean endsNow() {
        return fenced || session.isLeaseOver(process.clockNs());
    }

    /** V15: a welcome is taken while this process waits in its round, is kept while it may not be, and else is void. */
    private void takeWelcomes(Outbox<Integer, M> out) {
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
                        out.send((int) member.nonce(), welcome(welcome));
                    }
                }
            }
        }
    }

    private void enterNow(Admission world, Outbox<Integer, M> out) {
        next = world.next();
        session.committed(world.epoch(), world.members(), world.digest(), to(out));
    }

    /** The members have decided: this one enters the epoch, and tells the launcher and the newcomers. */
    void enter(Admission world, List<Integer> newcomers, boolean isLauncherFirst) {
        process.input("enters", NODE, world, (nowNs, out) -> {
            if (isLeaseOver(nowNs) || !isRunning()) {
                return;
            }
            if (isLauncherFirst) {
                enterNow(world, out);
            }
            for (int newcomer : newcomers) {
                out.send(newcomer, welcome(world));
            }
            if (!isLauncherFirst) {
                enterNow(world, out);
            }
        });
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, M> out) {
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
        } else if (finalized && (session.isGoodbyeHeard() || isPatienceOver())) {
            process.end(SimProcess.End.LEFT);
        } else if (leaves || session.state() == JoinSession.State.OUT) {
            process.end(SimProcess.End.LEFT);
        }
    }

    /** The number of the newest connection. */
    protected final int connection() {
        return connection;
    }

    public boolean isRunning() {
        return process.isRunning() && session.state() == JoinSession.State.RUNNING;
    }

    public boolean isPending() {
        return process.isRunning() && session.state() == JoinSession.State.PENDING;
    }

    public boolean hasCalled() {
        return connection > 0;
    }

    int confirmed() {
        return confirmed;
    }

    public int round() {
        return session.round();
    }

    public int epoch() {
        return session.epoch();
    }

    int next() {
        return next;
    }

    public List<MemberRecord> table() {
        return session.table();
    }

    /** The processes that this one knows to wait. */
    protected SortedMap<ProcessId, Joiner> waiting() {
        return waiting;
    }

    /** Why this process was told to end; null if it was not. */
    public OutReason reason() {
        return session.out() == null ? null : session.out().reason();
    }

    public boolean isFenced() {
        return fenced;
    }

    /** Notes that others have cause to go on without this process. */
    public void excuse() {
        excused = true;
    }

    public boolean isExcused() {
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
    public void onDeparted(ProcessId other) {
        onDeath(other, "it has finalized");
    }

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
