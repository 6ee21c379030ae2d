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
 * A simulated process that joins without a slot. Its node and its nonce are the same number.
 *
 * @param <M> the type of the messages that the processes of its scenario send each other
 */
public abstract class Applicant<M> implements Protocol<Integer, M>, ClientListener {
    /** Stands for the coordinator's node where a process has no connection to a coordinator. */
    protected static final int NOWHERE = -1;

    /**
     * The node of the launcher, or of etcd, neither of which is a process of the world. Logged for steps that no other
     * process causes.
     */
    private static final int NODE = 0;

    private final SimProcess<Integer, M> process;
    /** V15: null without leases. */
    private final HeldLease lease;

    private final int hostOrder;
    private final JoinSession session;
    /** Where answers to a question of the coordinator go while a message is handled; otherwise null. */
    private Consumer<RendezvousMessage> answers;

    private final SortedMap<ProcessId, Joiner> waiting = new TreeMap<>();
    /** The processes of which this process was told that they have died, were silenced or have departed. */
    private final Set<ProcessId> dead = new TreeSet<>();

    private final List<Admission> held = new ArrayList<>();

    /** The next free slot number in the world that this process runs in or ran in last; 0 before it first runs. */
    private int next;

    private int connection;
    private int confirmed;
    private boolean leaves;
    private boolean finalized;
    private boolean fenced;
    private boolean excused;

    /** @param lease null for a process without a lease */
    protected Applicant(int hostOrder, int localIndex, SimProcess<Integer, M> process, HeldLease lease) {
        this.process = process;
        this.lease = lease;
        this.hostOrder = hostOrder;
        HostProcess host = new HostProcess(process.node(), 1, 1, "boot");
        MemberRecord me = new MemberRecord(Joiner.NAMELESS, process.node(), 0, "127.0.0.1", 1, "", host);
        session = JoinSession.withoutSlot(new Joiner(hostOrder, localIndex, me), lease);
        process.afterStep(this::afterStep);
    }

    /** The node of the coordinator to which this process is connected; {@link #NOWHERE} if it is not connected. */
    protected abstract int coordinator();

    /** Makes a message to the coordinator, on the connection with this number. */
    protected abstract M packet(int ofConnection, RendezvousMessage message);

    /** Makes the message by which a member tells a newcomer that it is admitted. */
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
     * The members have decided that the world is finished. This process notes that on its host, and says goodbye.
     * Without effect if it has ended meanwhile.
     */
    void finish() {
        process.input("finalizes", NODE, null, (nowNs, out) -> {
            finalized = true;
            session.goodbye(SlotSet.EMPTY, to(out));
        });
    }

    /** Whether this process has noted that its world is finished; the note stays after the process has ended. */
    public boolean hasFinalized() {
        return finalized;
    }

    /** Whether a coordinator has answered this process that its goodbye has arrived. */
    public boolean isGoodbyeHeard() {
        return session.isGoodbyeHeard();
    }

    /**
     * Whether this process, which has finalized, has waited long enough for a coordinator to take its goodbye; here
     * false.
     */
    protected boolean isPatienceOver() {
        return false;
    }

    /** Sends on a new connection what a process sends first on each connection. */
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

    /** Handles a message of the coordinator, or a welcome of a member. At least one of the two is null. */
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

    /**
     * V15: whether this process is fenced, or its lease has run out, which fences it. Asked before a message of the
     * coordinator or a welcome is handled, a world is entered, or a keep-alive is sent.
     */
    private boolean isLeaseOver(long nowNs) {
        fenced |= session.isLeaseOver(nowNs);
        return fenced;
    }

    /** Whether this process is going to end itself, because it is fenced or its lease has run out. */
    boolean endsNow() {
        return fenced || session.isLeaseOver(process.clockNs());
    }

    /**
     * V15: enters the world of a welcome if this process may be admitted in the round of the welcome, and then passes
     * the welcome on to all other members. A welcome that comes before that is kept; it is dropped if it is of an
     * earlier round, or this process runs.
     */
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

    /**
     * The members have decided on a world: this member enters it, which the coordinator is told, and welcomes the
     * newcomers. Does none of this if this process does not run in a world, is fenced, or its lease has run out.
     *
     * @param isLauncherFirst whether the coordinator is told before the newcomers
     */
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

    /** The number of the newest connection; 0 before the first. */
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

    /**
     * The processes of which this one was told that they wait, without those of which it was told since that they have
     * died, were silenced or have departed.
     */
    protected SortedMap<ProcessId, Joiner> waiting() {
        return waiting;
    }

    /** The reason for which the session of this process is OUT; null in each other state, even after a fence. */
    public OutReason reason() {
        return session.out() == null ? null : session.out().reason();
    }

    public boolean isFenced() {
        return fenced;
    }

    /** Notes that others have a cause to go on without this process, so that it may be told to end. */
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

    /** As a death: this process marks the other one failed. */
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
