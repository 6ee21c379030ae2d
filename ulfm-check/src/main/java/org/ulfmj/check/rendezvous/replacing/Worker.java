package org.ulfmj.check.rendezvous.replacing;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
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
 * A simulated process of a job with restarts: one of incarnation 0, a newcomer or a spare. Its node and its nonce are
 * the same number.
 */
final class Worker implements Protocol<Integer, Letter>, ClientListener {
    /** The incarnation used for a process that the launcher never started. */
    static final int STRAY = 50;

    private final int spareNumber;
    private final long patienceNs;
    private final SimProcess<Integer, Letter> process;
    private final SortedMap<ProcessId, MemberRecord> pending = new TreeMap<>();
    private final SortedSet<Integer> noMore = new TreeSet<>();
    private final SortedSet<ProcessId> gone = new TreeSet<>();
    private final List<Welcome> held = new ArrayList<>();
    private ProcessId id;
    private JoinSession session;
    private int connection;
    private int lastLostConnection;
    private long giveUpNs = Long.MAX_VALUE;
    private OutReason reason;
    private String whyNot;
    private boolean fenced;
    private boolean excused;
    private boolean excluded;
    private boolean hasGatheredAnew;
    private boolean hasHeldAWelcome;

    /** @param id null for a spare */
    Worker(ProcessId id, int spareNumber, long patienceNs, SimProcess<Integer, Letter> process) {
        this.spareNumber = spareNumber;
        this.patienceNs = patienceNs;
        this.process = process;
        process.afterStep(this::afterStep);
        if (id != null) {
            be(id);
        }
    }

    private void be(ProcessId place) {
        id = place;
        session = new JoinSession(new MemberRecord(
                place, process.node(), 0, "127.0.0.1", 1, "", new HostProcess(process.node(), 1, 1, "boot")));
    }

    /** Returns the id; null for a spare without a place. */
    ProcessId id() {
        return id;
    }

    int spareNumber() {
        return spareNumber;
    }

    int node() {
        return process.node();
    }

    SimProcess<Integer, Letter> process() {
        return process;
    }

    void init() {
        process.start(this, (nowNs, out) -> {
            giveUpNs = id == null ? Long.MAX_VALUE : nowNs + patienceNs;
            connect(out);
        });
    }

    /**
     * Dials the launcher again.
     *
     * @param isLossy whether messages on their way to the launcher are lost with the old connection
     */
    void reconnect(boolean isLossy) {
        if (isLossy) {
            lastLostConnection = connection;
        }
        process.input("dials again", JobLauncher.NODE, connection + 1, (nowNs, out) -> connect(out));
    }

    /**
     * Whether messages to the launcher on the connection with this number that have not arrived yet are lost, as the
     * connection broke.
     */
    boolean hasLost(int older) {
        return older <= lastLostConnection;
    }

    void loseLauncher() {
        process.input("loses the launcher", JobLauncher.NODE, null, (nowNs, out) -> whyNot = "the launcher is gone");
    }

    void sayGoodbye() {
        process.input("says goodbye", JobLauncher.NODE, null, (nowNs, out) -> {
            if (isRunning()) {
                session.goodbye(SlotSet.EMPTY, to(out));
            }
        });
    }

    /**
     * The members have decided on a world: this member, if it runs, reports that world to the launcher and welcomes the
     * newcomers, in the order that {@code isLauncherFirst} tells.
     */
    void enter(Welcome world, List<Integer> newcomers, boolean isLauncherFirst) {
        process.input("enters", JobLauncher.NODE, world, (nowNs, out) -> {
            if (!isRunning()) {
                return;
            }
            if (isLauncherFirst) {
                session.committed(world.epoch(), world.members(), world.digest(), to(out));
            }
            for (int newcomer : newcomers) {
                out.send(newcomer, Letter.of(world));
            }
            if (!isLauncherFirst) {
                session.committed(world.epoch(), world.members(), world.digest(), to(out));
            }
        });
    }

    private void connect(Outbox<Integer, Letter> out) {
        connection++;
        if (session == null) {
            to(out).accept(new RendezvousMessage.Spare(spareNumber));
        } else {
            session.onConnected(to(out));
        }
    }

    private Consumer<RendezvousMessage> to(Outbox<Integer, Letter> out) {
        int now = connection;
        return message -> out.send(JobLauncher.NODE, Letter.of(now, message));
    }

    @Override
    public void onMessage(Integer from, Letter letter, long nowNs, Outbox<Integer, Letter> out) {
        if (letter.welcome() != null) {
            held.add(letter.welcome());
        } else if (letter.connection() == connection && session == null) {
            onSpareMessage(letter.message(), nowNs, out);
        } else if (letter.connection() == connection) {
            session.onMessage(letter.message(), to(out), this);
        }
        takeWelcomes(out);
    }

    private void onSpareMessage(RendezvousMessage message, long nowNs, Outbox<Integer, Letter> out) {
        if (message instanceof RendezvousMessage.Assign assign) {
            be(assign.process());
            giveUpNs = nowNs + patienceNs;
            connect(out);
        } else if (message instanceof RendezvousMessage.Out end) {
            onOut(end.reason(), end.text());
        }
    }

    private void takeWelcomes(Outbox<Integer, Letter> out) {
        Iterator<Welcome> each = held.iterator();
        while (each.hasNext()) {
            Welcome welcome = each.next();
            if (session == null || isRunning() || welcome.round() < session.round()) {
                each.remove();
            } else if (session.mayBeAdmitted() && welcome.round() == session.round()) {
                each.remove();
                session.committed(welcome.epoch(), welcome.members(), welcome.digest(), to(out));
                passOn(welcome, out);
            } else {
                hasHeldAWelcome = true;
            }
        }
    }

    /** Forwards a welcome to all other members, as the process that sent it may have died before it told them. */
    private void passOn(Welcome welcome, Outbox<Integer, Letter> out) {
        for (MemberRecord member : welcome.members()) {
            if (member.nonce() != node()) {
                out.send((int) member.nonce(), Letter.of(welcome));
            }
        }
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Letter> out) {
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
        if (session != null && session.isSettled()) {
            giveUpNs = Long.MAX_VALUE;
        }
        if (session != null && session.state() == JoinSession.State.OUT && !fenced) {
            onOut(session.out().reason(), session.out().text());
        }
        if (fenced) {
            process.end(SimProcess.End.FENCED);
        } else if (whyNot != null || session != null && session.isGoodbyeHeard()) {
            process.end(SimProcess.End.LEFT);
        }
    }

    boolean isRunning() {
        return process.isRunning() && session != null && session.state() == JoinSession.State.RUNNING;
    }

    boolean isPending() {
        return process.isRunning() && session != null && session.state() == JoinSession.State.PENDING;
    }

    int round() {
        return session.round();
    }

    int epoch() {
        return session.epoch();
    }

    List<MemberRecord> table() {
        return session.table();
    }

    /** Returns the newcomers of which the process was told, without those whose death it was told of. */
    SortedMap<ProcessId, MemberRecord> pending() {
        return pending;
    }

    boolean knowsNoMore(int slot) {
        return noMore.contains(slot);
    }

    boolean knowsEndOf(ProcessId other) {
        return gone.contains(other);
    }

    /** Notes that other processes may take this one for dead although it lives. It may then be told to end. */
    void excuse() {
        excused = true;
    }

    /** Notes that the other members go on without this process. It takes no part in their decisions. */
    void exclude() {
        excused = true;
        excluded = true;
    }

    boolean isExcluded() {
        return excluded;
    }

    boolean isExcused() {
        return excused;
    }

    /** The reason for which the process was sent away; null if it was not. */
    OutReason reason() {
        return reason;
    }

    /** Returns in words why the process has ended or is to end; null if no reason was noted. */
    String whyNot() {
        return whyNot;
    }

    boolean hasGatheredAnew() {
        return hasGatheredAnew;
    }

    boolean hasHeldAWelcome() {
        return hasHeldAWelcome;
    }

    @Override
    public void onDeath(ProcessId other, String how) {
        gone.add(other);
        pending.remove(other);
    }

    @Override
    public void onDeparted(ProcessId other) {
        gone.add(other);
    }

    @Override
    public void onPending(MemberRecord newcomer) {
        if (!gone.contains(newcomer.id())) {
            pending.put(newcomer.id(), newcomer);
        }
    }

    @Override
    public void onNoMore(int slot, String why) {
        noMore.add(slot);
    }

    @Override
    public void onOut(OutReason told, String text) {
        reason = told;
        whyNot = told + ": " + text;
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        hasGatheredAnew = true;
    }

    @Override
    public void onFence(String why) {
        fenced = true;
        whyNot = why;
    }

    @Override
    public void onAbort(int code, String why) {
        whyNot = why;
    }

    @Override
    public void onLauncherLost(String why) {
        whyNot = why;
    }
}
