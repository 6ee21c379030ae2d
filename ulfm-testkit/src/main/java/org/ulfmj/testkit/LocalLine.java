package org.ulfmj.testkit;

import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.ClientListener;
import org.ulfmj.rendezvous.JoinSession;
import org.ulfmj.rendezvous.OutReason;
import org.ulfmj.rendezvous.RendezvousMessage;
import org.ulfmj.transport.MemberRecord;

/**
 * A process's end of its line to the {@link LocalLauncher}: the shipped {@link JoinSession}. A process whose rank has
 * not begun joins first, and begins when it knows the world that it is in, or waits for. Any thread.
 */
final class LocalLine implements ClientListener {
    private final MemberRecord me;
    private final LocalLauncher launcher;
    /** Guarded by itself; no lock of an engine is taken with it. */
    private final JoinSession session;
    /** Null before it has begun. */
    private volatile LocalRank rank;

    LocalLine(ProcessId process, long nonce, LocalLauncher launcher) {
        this.me = new MemberRecord(process, nonce, "", 0, "", 0, 0, "", 0);
        this.launcher = launcher;
        this.session = new JoinSession(me);
    }

    MemberRecord me() {
        return me;
    }

    /** The members of the world that the process is in, or waits for. */
    List<MemberRecord> table() {
        synchronized (session) {
            return session.table();
        }
    }

    /** The process has a rank from now on. */
    void serve(LocalRank newRank) {
        rank = newRank;
    }

    LocalRank rank() {
        return rank;
    }

    private void say(RendezvousMessage message) {
        launcher.hear(me.nonce(), message);
    }

    void join() {
        synchronized (session) {
            session.onConnected(this::say);
        }
    }

    /** The launcher's word; on its thread. Returns whether the rank is to begin now. */
    boolean take(RendezvousMessage message) {
        synchronized (session) {
            session.onMessage(message, this::say, this);
            boolean isPlaced = isPending() || session.state() == JoinSession.State.RUNNING;
            return rank == null && isPlaced;
        }
    }

    boolean isPending() {
        synchronized (session) {
            return session.state() == JoinSession.State.PENDING;
        }
    }

    boolean mayBeAdmitted() {
        synchronized (session) {
            return session.mayBeAdmitted();
        }
    }

    void committed(Admission world, List<MemberRecord> members) {
        synchronized (session) {
            session.committed((int) world.epoch(), members, world.digest(), this::say);
        }
    }

    void goodbye(SlotSet failed) {
        synchronized (session) {
            session.goodbye(failed, this::say);
        }
    }

    void suspect(ProcessId process) {
        synchronized (session) {
            session.suspect(process, this::say);
        }
    }

    void heard(ProcessId process) {
        synchronized (session) {
            session.heard(process, this::say);
        }
    }

    @Override
    public void onDeath(ProcessId process, String reason) {
        rank.runtime().onEvidence(process, new Evidence(Evidence.Kind.CERTAIN, me.id(), reason));
    }

    @Override
    public void onDeparted(ProcessId process) {
        rank.runtime().onDeparted(process);
    }

    @Override
    public void onPending(MemberRecord newcomer) {
        rank.runtime().onPending(newcomer);
    }

    @Override
    public void onNoMore(int slot, String why) {
        rank.runtime().onNoMore(slot, why);
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        rank.runtime().onGathered(members);
    }

    @Override
    public void onOut(OutReason reason, String text) {
        if (reason == OutReason.GONE_ON || reason == OutReason.CLOSED) {
            rank.runtime().onGoneOnWithout(text);
        } else {
            rank.runtime().onFence(text);
        }
    }

    @Override
    public void onFence(String reason) {
        rank.runtime().onFence(reason);
    }

    /** J2: a beat to each of them, and then the answer. */
    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        rank.runtime().beat(complainers, () -> say(new RendezvousMessage.Here(question)));
    }

    @Override
    public void onDoYouHear(long question, ProcessId process) {
        rank.runtime().whenAllIsRead(() -> {
            if (rank.complainsOf(process)) {
                say(new RendezvousMessage.StillNothing(question, process));
            } else {
                heard(process);
            }
        });
    }

    @Override
    public void onAbort(int code, String reason) {
        throw new IllegalStateException("a job of threads is aborted without its rendezvous: " + reason);
    }

    @Override
    public void onLauncherLost(String reason) {
        rank.runtime().onNobodyMore(reason);
        if (isPending()) {
            rank.runtime().onGoneOnWithout(reason);
        }
    }
}
