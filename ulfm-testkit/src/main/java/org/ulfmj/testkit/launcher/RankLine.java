package org.ulfmj.testkit.launcher;

import java.util.List;
import java.util.function.Predicate;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinSession;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.store.StoreLine;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/**
 * A process's end of its connection to the {@link WorldLauncher}, with the shipped {@link JoinSession}. A process first
 * joins; its rank begins when the process knows the world that it is in, or waits for. May be used by any thread.
 */
public final class RankLine implements ClientListener, StoreLine {
    /** The record of the process; it has the name of a slot once the process has got one. */
    private volatile MemberRecord me;

    private final WorldLauncher.Effects effects;
    /** Whether the world has processes that join without a slot. */
    private final boolean isElastic;
    /** Whether the process has no name yet: it waits until a member calls it by one. */
    private volatile boolean isNameless;
    /** Whether the launcher sent the process away while it had no name. */
    private volatile boolean isSentAway;
    /** Guarded by its own monitor. No lock of an engine is taken while that monitor is held. */
    private final JoinSession session;
    /** The rank of the process; null before {@link #serve}. */
    private volatile RankRuntime rank;

    private Predicate<ProcessId> complaints;
    /** Whether the rank waits to be let into a world that runs. Used under the engine lock once the rank has begun. */
    private boolean waits;

    RankLine(ProcessId process, long nonce, long hostKey, WorldLauncher.Effects effects) {
        this.me = new MemberRecord(process, nonce, hostKey, "", 0, "", HostProcess.UNKNOWN);
        this.effects = effects;
        this.isElastic = false;
        this.session = new JoinSession(me);
    }

    /**
     * The line of a process that joins without a slot.
     *
     * @param place of the process in the order of slots
     * @param expected the slot that the first world gives to a process of this place; null for a process that joins
     *     later
     */
    RankLine(int place, ProcessId expected, long nonce, long hostKey, WorldLauncher.Effects effects) {
        ProcessId name = expected == null ? Joiner.NAMELESS : expected;
        this.me = new MemberRecord(name, nonce, hostKey, "", 0, "", HostProcess.UNKNOWN);
        this.effects = effects;
        this.isElastic = true;
        this.isNameless = expected == null;
        this.session = JoinSession.withoutSlot(new Joiner(0, place, me.named(Joiner.NAMELESS)));
    }

    /**
     * A member calls this process by a name. If the process has no name, waits to be let in and was not sent away, it
     * takes this one.
     *
     * @return whether the rank is to begin now, under this name
     */
    public boolean takeName(ProcessId name) {
        if (!isNameless || isSentAway || !isPending()) {
            return false;
        }
        me = me.named(name);
        isNameless = false;
        synchronized (session) {
            session.named();
        }
        return true;
    }

    /** Whether the process joins without a slot, and has no name yet. */
    public boolean isNameless() {
        return isNameless;
    }

    /** Whether the process has no name and may get one, but does not know yet that it waits. */
    public boolean isYetToWait() {
        return isNameless && !isSentAway && !isPending();
    }

    /** Whether this process is, or was, the one of this name. */
    public boolean isCalled(ProcessId name) {
        return !isNameless && me.id().equals(name);
    }

    /** Returns the record of the process, as others know it. Its address is empty. */
    public MemberRecord me() {
        return me;
    }

    /** Returns the members of the world that the process is in, or waits for; empty before it knows of a world. */
    public List<MemberRecord> table() {
        synchronized (session) {
            return session.table();
        }
    }

    /**
     * Connects the process to its rank, from now on.
     *
     * @param complainsOf whether the rank complains of a process now
     */
    public void serve(RankRuntime newRank, Predicate<ProcessId> complainsOf) {
        waits = isPending();
        complaints = complainsOf;
        rank = newRank;
    }

    private void say(RendezvousMessage message) {
        effects.toLauncher(this, message);
    }

    void join(StoreWelcome welcome) {
        synchronized (session) {
            session.onWelcome(welcome.boot(), welcome.session(), this);
            session.onConnected(this::say);
        }
    }

    /** Takes a message of the launcher. Returns whether the rank of this process is to begin now. */
    public boolean take(RendezvousMessage message) {
        RankRuntime begun = rank;
        synchronized (session) {
            session.onMessage(message, this::say, isNameless ? new Nameless() : this);
            if (begun != null && message instanceof RendezvousMessage.StoreAnswer) {
                begun.wake();
            }
            boolean isPlaced = isPending() || session.state() == JoinSession.State.RUNNING;
            return rank == null && isPlaced && !isElastic;
        }
    }

    @Override
    public StoreReply ask(StoreRequest request) {
        synchronized (session) {
            return session.ask(request, this::say);
        }
    }

    @Override
    public boolean hasRoom(StoreRequest request) {
        synchronized (session) {
            return session.hasRoomToAsk(request);
        }
    }

    @Override
    public void withdraw(StoreReply reply) {
        synchronized (session) {
            session.withdraw(reply, this::say);
        }
    }

    /**
     * Whether the process at this end of the connection to the launcher was told that it is not part of the running
     * world and waits to be admitted to it.
     */
    public boolean isPending() {
        synchronized (session) {
            return session.state() == JoinSession.State.PENDING;
        }
    }

    public boolean mayBeAdmitted() {
        synchronized (session) {
            return session.mayBeAdmitted();
        }
    }

    /**
     * Tells the launcher that the rank is a member of this world, unless the launcher itself has gathered that world.
     * Called under the engine lock.
     */
    public void admitted(Admission world, List<MemberRecord> members) {
        boolean isGathered = waits && !isPending();
        waits = false;
        if (isGathered) {
            return; // the launcher itself said so
        }
        synchronized (session) {
            session.committed((int) world.epoch(), members, world.digest(Contacts.placement(members)), this::say);
        }
    }

    public void goodbye(SlotSet failed) {
        synchronized (session) {
            session.goodbye(failed, this::say);
        }
    }

    /** Tells the launcher that the rank leaves. */
    public void leave(String why) {
        synchronized (session) {
            session.leave(why, this::say);
        }
    }

    public void suspect(ProcessId process) {
        synchronized (session) {
            session.suspect(process, this::say);
        }
    }

    public void heard(ProcessId process) {
        synchronized (session) {
            session.heard(process, this::say);
        }
    }

    @Override
    public void onDeath(ProcessId process, String reason) {
        rank.news().onEvidence(process, new Evidence(Evidence.Kind.CERTAIN, me.id(), reason));
    }

    @Override
    public void onDeath(ProcessId process, long nonce, String reason) {
        if (nonce == 0) {
            onDeath(process, reason);
        } else {
            rank.news().onEnd(nonce, new Evidence(Evidence.Kind.CERTAIN, me.id(), reason));
        }
    }

    @Override
    public void onSilenced(ProcessId process, String reason) {
        rank.news().onEvidence(process, new Evidence(Evidence.Kind.SUSPECTED, me.id(), reason));
    }

    @Override
    public void onDeparted(ProcessId process) {
        rank.news().onDeparted(process);
    }

    @Override
    public void onDeparted(ProcessId process, long nonce) {
        if (nonce == 0) {
            onDeparted(process);
        } else {
            rank.news().onEnd(nonce, null);
        }
    }

    @Override
    public void onWaiting(Joiner joiner) {
        rank.news().onWaiting(joiner.hostOrder(), joiner.localIndex(), joiner.member());
    }

    @Override
    public void onPending(MemberRecord newcomer) {
        rank.news().onPending(newcomer);
    }

    @Override
    public void onNoMore(int slot, String why) {
        rank.news().onNoMore(slot, why);
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        if (isElastic) {
            // This process waits under a name that the lost world gave it, and cannot take another name. So it is not
            // in the world that the launcher has gathered, and ends.
            rank.news().onGoneOnWithout("all processes of the world that this one waited for have ended");
        } else {
            rank.news().onGathered(members);
        }
    }

    @Override
    public void onOut(OutReason reason, String text) {
        if (reason == OutReason.GONE_ON || reason == OutReason.CLOSED) {
            rank.news().onGoneOnWithout(text);
        } else {
            rank.news().onFence(text);
        }
    }

    @Override
    public void onFence(String reason) {
        rank.news().onFence(reason);
    }

    /** J2: sends a heartbeat to each complainer, and then tells the launcher that this process is there. */
    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        rank.news().beat(complainers, () -> say(new RendezvousMessage.Here(question)));
    }

    @Override
    public void onDoYouHear(long question, ProcessId process) {
        rank.news().whenAllIsRead(() -> {
            if (complaints.test(process)) {
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

    /** Tells the rank that no process is started any more. */
    @Override
    public void onLauncherLost(String reason) {
        synchronized (session) {
            session.loseStore(reason);
        }
        rank.news().onNoMoreReplacements(reason);
    }

    /**
     * Takes the launcher's messages while the process has no name and so no rank: such a process only answers whether
     * it is there, and can be sent away.
     */
    private final class Nameless implements ClientListener {
        @Override
        public void onOut(OutReason reason, String text) {
            isSentAway = true;
        }

        @Override
        public void onFence(String reason) {
            isSentAway = true;
        }

        @Override
        public void onAreYouThere(long question, List<ProcessId> complainers) {
            say(new RendezvousMessage.Here(question));
        }

        @Override
        public void onDeath(ProcessId process, String reason) {
            // The process has no rank yet that could be told.
        }

        @Override
        public void onDeparted(ProcessId process) {
            // As for a death.
        }

        @Override
        public void onAbort(int code, String reason) {
            isSentAway = true;
        }

        @Override
        public void onLauncherLost(String reason) {
            // A member may still call the process and give it a name.
        }
    }
}
