package org.ulfmj.check.exhaustive.rounds;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.check.exhaustive.Numbered;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinSession;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** A process of a small world of a rendezvous that joins through the shipped {@link JoinSession}. */
final class Client implements Replayed.Part, ClientListener {
    static final int GETS = 0;
    static final int CONNECTS = 1;
    static final int ENTERS = 2;
    static final int LEAVES = 3;

    private static final int BITS = 24;

    /**
     * The messages of all processes and of the launcher, by number; the worlds likewise below. Shared by all of one
     * thread, and no part of this process's state.
     */
    private static final ThreadLocal<Numbered<RendezvousMessage>> MESSAGES = new ThreadLocal<>();

    private static final ThreadLocal<Numbered<Entered>> WORLDS = new ThreadLocal<>();

    /** A world that members have decided on. */
    record Entered(int round, int epoch, List<MemberRecord> members) {
        Entered {
            members = List.copyOf(members);
        }
    }

    private final JoinSession session;
    private final boolean isMute;

    /** The processes that the launcher has reported dead or departed, by the names that it gave. */
    private final TreeSet<ProcessId> dead = new TreeSet<>();

    /** The processes of which the launcher has reported that they wait: by nonce, with their provisional names. */
    private final TreeMap<Long, ProcessId> waiting = new TreeMap<>();

    /** The last round whose table this process has confirmed; 0 before the first, and always at a mute process. */
    private int confirmed;

    private boolean isConnected;
    private boolean isFenced;

    /** @param slot the id with which a process of a static world joins; null in an elastic world */
    Client(int process, int seat, ProcessId slot, boolean isMute) {
        this.isMute = isMute;
        MemberRecord record = new MemberRecord(
                slot == null ? Joiner.NAMELESS : slot, process, 0, "", 1, "", new HostProcess(process, 1, 1, "boot"));
        session = slot == null ? JoinSession.withoutSlot(new Joiner(0, seat, record)) : new JoinSession(record);
    }

    static void use(Numbered<RendezvousMessage> messages, Numbered<Entered> worlds) {
        MESSAGES.set(messages);
        WORLDS.set(worlds);
    }

    static int event(int what, int detail) {
        return what << BITS | detail;
    }

    @Override
    public void take(int event, List<Integer> sent) {
        int detail = event & (1 << BITS) - 1;
        switch (event >> BITS) {
            case GETS -> session.onMessage(MESSAGES.get().value(detail), message -> say(message, sent), this);
            case CONNECTS -> {
                isConnected = true;
                session.onConnected(message -> say(message, sent));
            }
            case ENTERS -> {
                Entered world = WORLDS.get().value(detail);
                long digest = world.epoch();
                for (MemberRecord member : world.members()) {
                    digest = 31 * digest + member.nonce();
                }
                session.committed(world.epoch(), world.members(), digest, message -> say(message, sent));
            }
            default -> session.leave("preempted", message -> say(message, sent));
        }
    }

    private void say(RendezvousMessage message, List<Integer> sent) {
        if (message instanceof RendezvousMessage.Confirm confirm) {
            if (isMute) {
                return;
            }
            confirmed = confirm.round();
        }
        sent.add(MESSAGES.get().number(message));
    }

    JoinSession.State state() {
        return session.state();
    }

    boolean isConnected() {
        return isConnected;
    }

    boolean isRunning() {
        return session.state() == JoinSession.State.RUNNING && !isFenced;
    }

    boolean isPending() {
        return session.state() == JoinSession.State.PENDING;
    }

    boolean mayBeAdmitted() {
        return session.mayBeAdmitted();
    }

    boolean isMute() {
        return isMute;
    }

    boolean isFenced() {
        return isFenced;
    }

    OutReason out() {
        return session.out() == null ? null : session.out().reason();
    }

    int round() {
        return session.round();
    }

    int epoch() {
        return session.epoch();
    }

    int confirmed() {
        return confirmed;
    }

    MemberRecord me() {
        return session.me();
    }

    List<MemberRecord> table() {
        return session.table();
    }

    boolean knowsDead(ProcessId process) {
        return dead.contains(process);
    }

    boolean knowsWaiting(int process) {
        return waiting.containsKey((long) process);
    }

    /** The provisional name under which this process was told that another one waits; null if it was not told. */
    ProcessId nameOfWaiting(int process) {
        return waiting.get((long) process);
    }

    @Override
    public void onDeath(ProcessId process, String reason) {
        dead.add(process);
    }

    @Override
    public void onDeparted(ProcessId process) {
        dead.add(process);
    }

    @Override
    public void onWaiting(Joiner joiner) {
        waiting.put(joiner.nonce(), joiner.member().id());
    }

    @Override
    public void onFence(String reason) {
        isFenced = true;
    }

    @Override
    public void onAbort(int code, String reason) {}

    @Override
    public void onLauncherLost(String reason) {}
}
