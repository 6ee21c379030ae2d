package org.ulfmj.rendezvous.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreClient;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.MemberRecord;

/**
 * A rank's end of the rendezvous, without its connection. It knows what to send first on each new connection, what a
 * message of the launcher means in the present state, and what to send again because the launcher has not answered yet.
 * Pure, not thread-safe.
 */
public final class JoinSession {
    /** How far this process has come into the world. */
    public enum State {
        /** The process is not part of anything yet. */
        JOINING,
        /** The process has confirmed a table. It is not known yet whether that table becomes the world. */
        CONFIRMED,
        /** The process is not part of the running world, and waits to be admitted to it. */
        PENDING,
        /** The process is part of the world. */
        RUNNING,
        /** The launcher has told the process that it is not part of the world. */
        OUT
    }

    /** This process as it joins without a slot; null for a process with a slot. */
    private final Joiner joiner;

    private MemberRecord me;
    private final Map<Object, RendezvousMessage> unheard = new LinkedHashMap<>();
    private State state = State.JOINING;
    private int round;
    private int epoch;

    /**
     * The message about the world that this process entered last by being admitted, or by admitting others; null before
     * the first time.
     */
    private RendezvousMessage.Committed committed;

    /**
     * Whether this process has answered a roll call with "does not run", and was not told since of a world in which it
     * waits.
     */
    private boolean called;

    /** Whether a member of the world that this process waits for has sent it a message under a name. */
    private boolean isNamed;

    /** Whether this process was pending when a table was sent to it for confirmation. */
    private boolean hasWaited;

    /** A number that tells the launcher from every other one. Valid once there is a {@code storeSession}. */
    private long boot;

    /** The session that the launcher's store has with this process; 0 before the first connection. */
    private long storeSession;

    /** This process's requests to the store; null before the first one. */
    private StoreClient store;

    /** Why the store cannot be reached any more; null while it can. */
    private String storeLostBecause;

    /** V15: null in a job without leases. */
    private final HeldLease lease;

    /** Whether this process was told to end itself. */
    private boolean isFenced;

    private String fencedBecause;

    /** Number of the last signal that this process was told of. */
    private long lastSignal;

    private boolean goodbyeHeard;
    private boolean leaveHeard;
    private List<MemberRecord> table = List.of();
    private RendezvousMessage.Out out;

    /** @param me this process, with its nonce; its listener is bound, because the session confirms a table at once */
    public JoinSession(MemberRecord me) {
        this(me, null);
    }

    /** @param lease the lease of this process; null in a job without leases */
    public JoinSession(MemberRecord me, HeldLease lease) {
        this(me, null, lease);
    }

    private JoinSession(MemberRecord me, Joiner joiner, HeldLease lease) {
        this.me = me;
        this.joiner = joiner;
        this.lease = lease;
    }

    /** The session of a process that joins without a slot; its listener is bound. */
    public static JoinSession withoutSlot(Joiner joiner) {
        return withoutSlot(joiner, null);
    }

    /** @param lease the lease of this process; null in a job without leases */
    public static JoinSession withoutSlot(Joiner joiner, HeldLease lease) {
        return new JoinSession(joiner.member(), joiner, lease);
    }

    /** The record of this process, with the name that it has now. */
    public MemberRecord me() {
        return me;
    }

    /**
     * V15: whether the lease of this process has ended, while the process is pending or runs and its goodbye was not
     * heard: the launcher may take it for ended. The caller asks this before any other step, above all after a pause.
     */
    public boolean isLeaseOver(long nowNs) {
        return isBound() && lease.isOver(nowNs);
    }

    private boolean isBound() {
        return lease != null && !goodbyeHeard && (state == State.RUNNING || state == State.PENDING);
    }

    /** V15: sends the keep-alive that is due, if one is. Only while there is a connection. */
    public void keepAlive(long nowNs, Consumer<RendezvousMessage> send) {
        if (lease != null && !goodbyeHeard && lease.isKeepAliveDue(nowNs)) {
            send.accept(new RendezvousMessage.KeepAlive(lease.send(nowNs)));
        }
    }

    /**
     * Whether the launcher has not answered a keep-alive for too long, with no other bytes arriving, so that another
     * connection is to be tried.
     */
    public boolean isUnanswered(long nowNs) {
        return lease != null && !goodbyeHeard && lease.isUnanswered(nowNs);
    }

    /**
     * When {@link #keepAlive} is due or {@link #isLeaseOver} becomes true; {@link Long#MAX_VALUE} for never.
     *
     * @param isConnected whether there is a connection; without one only the end of the lease counts
     */
    public long nextLeaseDeadlineNs(boolean isConnected) {
        if (lease == null || goodbyeHeard) {
            return Long.MAX_VALUE;
        }
        if (!isBound()) {
            return isConnected ? lease.nextKeepAliveNs() : Long.MAX_VALUE;
        }
        return isConnected ? lease.nextDueNs() : lease.endNs();
    }

    /** When {@link #isUnanswered} becomes true; {@link Long#MAX_VALUE} for never. */
    public long answerDueNs() {
        return lease == null || goodbyeHeard ? Long.MAX_VALUE : lease.answerDueNs();
    }

    /**
     * V15: begins the lease anew with a keep-alive now, because this process was slow to begin. While
     * {@link #isHeldBack}, the process must not act.
     */
    public void beginLeaseAnew(long nowNs, Consumer<RendezvousMessage> send) {
        lease.beginAnew();
        send.accept(new RendezvousMessage.KeepAlive(lease.send(nowNs)));
    }

    /**
     * V15: whether this process has to wait for an answer before it acts: it runs or is pending with a lease, no
     * keep-alive was answered since the lease began, and the process was not told to end.
     */
    public boolean isHeldBack() {
        return isBound() && !lease.isAnswered() && !isFenced;
    }

    /**
     * Whether the launcher has told this process to end, or that it is not part of the world, or has ended the session
     * of this process with the store after this process sent requests to it.
     */
    public boolean isToEnd() {
        return isFenced || state == State.OUT;
    }

    /** Why the launcher has told this process to end; null if it has not. */
    String fencedBecause() {
        return fencedBecause;
    }

    /** Notes that bytes have arrived on the connection, even if they are only a part of a message. */
    void onBrought(long nowNs) {
        if (lease != null) {
            lease.brought(nowNs);
        }
    }

    /** The connection broke. */
    public void onDisconnected() {
        if (lease != null) {
            lease.disconnect();
        }
    }

    public State state() {
        return state;
    }

    /**
     * Whether the launcher has answered this process: it is in the world ({@link State#RUNNING}), waits for the members
     * to admit it or for a new world to be gathered ({@link State#PENDING}), or is not part of the world
     * ({@link State#OUT}).
     */
    public boolean isSettled() {
        return state == State.PENDING || state == State.RUNNING || state == State.OUT;
    }

    boolean isWithoutSlot() {
        return joiner != null;
    }

    /**
     * Whether this process is pending and may believe a member that admits it. After it has told the launcher that it
     * does not run, it may not, until the launcher tells it of a world again: the launcher may have acted on its
     * answer.
     */
    public boolean mayBeAdmitted() {
        return state == State.PENDING && !called;
    }

    /**
     * The members, in slot order, of the world that this process runs in or waits for. In {@link State#PENDING} this
     * process is not among them. Empty before the process knows of a world.
     */
    public List<MemberRecord> table() {
        return table;
    }

    /**
     * The round of the world that this process runs in or waits for; before that, the last round that the launcher told
     * it of, or 0.
     */
    public int round() {
        return round;
    }

    /** The epoch of the world that this process runs in, or waits for. */
    public int epoch() {
        return epoch;
    }

    /**
     * Notes that a member of the world that this process waits for has given it a name (G10), which it keeps. In the
     * world of another round it would get another name. So once that world is gone it ends instead of answering a roll
     * call.
     */
    public void named() {
        isNamed = true;
    }

    /** The reason why this process is not part of the world; null unless {@link State#OUT}. */
    public RendezvousMessage.Out out() {
        return out;
    }

    /**
     * Begins with a new connection, in a job without leases: sends the Join of this process, and again what the
     * launcher may not have heard.
     */
    public void onConnected(Consumer<RendezvousMessage> send) {
        onConnected(0, send);
    }

    /** As {@link #onConnected(Consumer)}; in a job with leases it also sends a keep-alive. */
    public void onConnected(long nowNs, Consumer<RendezvousMessage> send) {
        boolean isRunning = state == State.RUNNING;
        int ofRound = isRunning ? round : 0;
        int ofEpoch = isRunning ? epoch : 0;
        send.accept(
                joiner == null
                        ? new RendezvousMessage.Join(me, ofRound, ofEpoch)
                        : new RendezvousMessage.JoinAnywhere(joiner.named(me.id()), ofRound, ofEpoch));
        if (lease != null) {
            send.accept(new RendezvousMessage.KeepAlive(lease.send(nowNs)));
        }
        if (isRunning && committed != null) {
            send.accept(committed);
        }
        for (RendezvousMessage message : unheard.values()) {
            send.accept(message);
        }
        if (store != null) {
            store.onConnected(storeLine(send));
        }
    }

    /** The number of the session with the store; 0 before the launcher gave one. */
    public long storeSession() {
        return storeSession;
    }

    /**
     * S6, S7: handles what the launcher said when it accepted a connection, before {@link #onConnected}. Another
     * launcher, or one that takes this process for ended, knows nothing of the requests to the store.
     *
     * @param heardBoot a number that tells this launcher from every other one
     * @param givenSession the session that the launcher has for this process; 0 for none
     */
    public void onWelcome(long heardBoot, long givenSession, ClientListener listener) {
        if (storeSession == 0) {
            boot = heardBoot;
            storeSession = givenSession;
        } else if (heardBoot != boot) {
            loseStore("another launcher answers, whose store does not know this process");
        } else if (givenSession != storeSession) {
            expire("the launcher has ended the session of this process with the store", listener);
        }
    }

    private void expire(String why, ClientListener listener) {
        if (store != null) {
            loseStore(why);
            isFenced = true;
            listener.onFence(why);
        }
    }

    /** Gives up the store: no further request is sent, and it is unknown whether those under way were carried out. */
    public void loseStore(String why) {
        storeLostBecause = why;
        if (store != null) {
            store.lose(why);
        }
    }

    /** A message of the launcher arrived. */
    public void onMessage(RendezvousMessage message, Consumer<RendezvousMessage> send, ClientListener listener) {
        if (state == State.OUT) {
            return;
        }
        if (message instanceof RendezvousMessage.ToRank word) {
            word.tellRank(new Words(send, listener));
        }
    }

    /**
     * Notes that this process has entered a later epoch of the world, because it was admitted or has admitted others,
     * and tells the launcher. Has no effect if the launcher has told the process that it is not part of the world.
     *
     * @throws IllegalStateException if the process neither runs nor may be admitted, or if it joined without a slot and
     *     is not among the members
     */
    public void committed(int newEpoch, List<MemberRecord> members, long digest, Consumer<RendezvousMessage> send) {
        if (state == State.OUT) {
            return;
        }
        if (state != State.RUNNING && !mayBeAdmitted()) {
            throw new IllegalStateException("process " + me.id() + " enters epoch " + newEpoch + ", and is " + state
                    + (called ? ", having said that it does not run" : ""));
        }
        state = State.RUNNING;
        epoch = newEpoch;
        table = List.copyOf(members);
        findMe();
        committed = new RendezvousMessage.Committed(round, newEpoch, table, digest);
        send.accept(committed);
    }

    /** Lets a process without a slot find its slot in the table of its world. */
    private void findMe() {
        if (joiner == null) {
            return;
        }
        for (MemberRecord member : table) {
            if (member.nonce() == me.nonce()) {
                me = member;
                return;
            }
        }
        throw new IllegalStateException("process " + me.nonce() + " runs in a world that does not list it");
    }

    /** Says goodbye, and says it again on each new connection until the launcher has heard it. */
    public void goodbye(SlotSet heldForFailed, Consumer<RendezvousMessage> send) {
        say(RendezvousMessage.Goodbye.class, new RendezvousMessage.Goodbye(heldForFailed), send);
    }

    public boolean isGoodbyeHeard() {
        return goodbyeHeard;
    }

    /** Says that this process leaves, and says it again on each new connection until the launcher has heard it. */
    public void leave(String why, Consumer<RendezvousMessage> send) {
        say(RendezvousMessage.Leave.class, new RendezvousMessage.Leave(why), send);
    }

    public boolean isLeaveHeard() {
        return leaveHeard;
    }

    public void reached(int rule, Consumer<RendezvousMessage> send) {
        RendezvousMessage message = new RendezvousMessage.Reached(rule);
        say(message, message, send);
    }

    /**
     * Complains of a process to the launcher, and complains again on each new connection. The complaint ends when
     * {@link #heard} withdraws it, or when the launcher says that the process has died, departed or counts as failed.
     */
    public void suspect(ProcessId process, Consumer<RendezvousMessage> send) {
        RendezvousMessage message = new RendezvousMessage.Suspect(process);
        say(message, message, send);
    }

    /**
     * Withdraws the complaint about a process. The withdrawal is sent once only, because a complaint that is not
     * repeated on the next connection ends there. Has no effect without such a complaint.
     */
    public void heard(ProcessId process, Consumer<RendezvousMessage> send) {
        if (unheard.remove(new RendezvousMessage.Suspect(process)) != null) {
            send.accept(new RendezvousMessage.Heard(process));
        }
    }

    public void abort(int code, String reason, Consumer<RendezvousMessage> send) {
        say(RendezvousMessage.Abort.class, new RendezvousMessage.Abort(code, reason), send);
    }

    /**
     * Sends a request to the store. Returns null and sends nothing if too many are unanswered: the caller asks again
     * later. Once the store is lost nothing is sent, and the reply says so.
     */
    public StoreReply ask(StoreRequest request, Consumer<RendezvousMessage> send) {
        if (store == null) {
            store = new StoreClient(storeSession());
            if (storeLostBecause != null) {
                store.lose(storeLostBecause);
            }
        }
        return store.hasRoom(request) ? store.ask(request, storeLine(send)) : null;
    }

    /** Whether {@link #ask} may send another request now. */
    public boolean hasRoomToAsk(StoreRequest request) {
        return store == null || store.hasRoom(request);
    }

    /** Asks the store to answer a request now, without waiting any longer. Does nothing if it was answered. */
    public void withdraw(StoreReply reply, Consumer<RendezvousMessage> send) {
        store.withdraw(reply, storeLine(send));
    }

    private static StoreClient.Line storeLine(Consumer<RendezvousMessage> send) {
        return (session, id, open, request) -> send.accept(new RendezvousMessage.StoreAsk(session, id, open, request));
    }

    private void say(Object key, RendezvousMessage message, Consumer<RendezvousMessage> send) {
        unheard.put(key, message);
        send.accept(message);
    }

    /** Handles a message of the launcher. A message that is not meant for ranks is ignored. */
    private final class Words implements RendezvousMessage.ToRank.Handler {
        private final Consumer<RendezvousMessage> send;
        private final ClientListener listener;

        Words(Consumer<RendezvousMessage> send, ClientListener listener) {
            this.send = send;
            this.listener = listener;
        }

        /** Confirms a table, unless it is old or this process runs. It comes again if its confirmation was lost. */
        @Override
        public void onTable(RendezvousMessage.Table proposed) {
            boolean isNew = proposed.round() > round;
            boolean isAgain = proposed.round() == round && state == State.CONFIRMED;
            if (state != State.RUNNING && (isNew || isAgain)) {
                hasWaited |= state == State.PENDING;
                round = proposed.round();
                state = State.CONFIRMED;
                send.accept(new RendezvousMessage.Confirm(round));
            }
        }

        @Override
        public void onFinal(RendezvousMessage.Final world) {
            if (state == State.CONFIRMED && world.round() == round) {
                epoch = world.epoch();
                table = world.members();
                findMe();
                state = State.RUNNING;
                if (hasWaited) {
                    listener.onGathered(table);
                }
            }
        }

        @Override
        public void onWait(RendezvousMessage.Wait wait) {
            boolean isNews = state == State.CONFIRMED ? wait.round() > round : wait.round() >= round;
            if (state == State.RUNNING || !isNews) {
                return;
            }
            round = wait.round();
            if (wait.members().isEmpty()) {
                // V15: the table that this process has confirmed is void, and the next table does not contain it.
                state = state == State.CONFIRMED ? State.JOINING : state;
                return;
            }
            epoch = wait.epoch();
            table = wait.members();
            state = State.PENDING;
            called = false;
        }

        @Override
        public void onOut(RendezvousMessage.Out end) {
            State was = state;
            state = State.OUT;
            out = end;
            if (was == State.RUNNING && end.reason() == OutReason.CLOSED) {
                listener.onClosed(end.text());
            } else if (was == State.RUNNING) {
                listener.onFence(end.text());
            } else if (was == State.PENDING || hasWaited) {
                listener.onOut(end.reason(), end.text());
            }
        }

        @Override
        public void onPending(RendezvousMessage.Pending pending) {
            listener.onPending(pending.member());
        }

        @Override
        public void onWaiting(RendezvousMessage.Waiting waiting) {
            listener.onWaiting(waiting.joiner());
        }

        @Override
        public void onNoMore(RendezvousMessage.NoMore none) {
            listener.onNoMore(none.slot(), none.why());
        }

        @Override
        public void onRecall(RendezvousMessage.Recall recall) {
            if (state == State.PENDING && isNamed) {
                listener.onOut(OutReason.GONE_ON, "all members of the world that called this process have ended");
            } else if (state != State.RUNNING) {
                called = true;
                send.accept(new RendezvousMessage.StillWaiting(recall.call()));
            } else if (committed != null) {
                send.accept(committed);
            }
        }

        @Override
        public void onAssign(RendezvousMessage.Assign place) {
            // A process that has a slot gets no other one.
        }

        @Override
        public void onDeath(RendezvousMessage.Death death) {
            unheard.remove(new RendezvousMessage.Suspect(death.process()));
            listener.onDeath(death.process(), death.nonce(), death.reason());
        }

        @Override
        public void onDeparted(RendezvousMessage.Departed departed) {
            unheard.remove(new RendezvousMessage.Suspect(departed.process()));
            listener.onDeparted(departed.process(), departed.nonce());
        }

        @Override
        public void onFence(RendezvousMessage.Fence fence) {
            isFenced = true;
            fencedBecause = fence.reason();
            listener.onFence(fence.reason());
        }

        @Override
        public void onAbort(RendezvousMessage.Abort abort) {
            if (state == State.RUNNING || state == State.PENDING || hasWaited) {
                listener.onAbort(abort.code(), abort.reason());
            } else {
                state = State.OUT;
                out = new RendezvousMessage.Out(OutReason.CLOSED, abort.reason());
            }
        }

        @Override
        public void onGoodbyeHeard(RendezvousMessage.GoodbyeHeard message) {
            goodbyeHeard = true;
            unheard.remove(RendezvousMessage.Goodbye.class);
        }

        @Override
        public void onLeaveHeard(RendezvousMessage.LeaveHeard message) {
            leaveHeard = true;
            unheard.remove(RendezvousMessage.Leave.class);
        }

        @Override
        public void onAreYouThere(RendezvousMessage.AreYouThere ask) {
            listener.onAreYouThere(ask.question(), ask.complainers());
        }

        @Override
        public void onDoYouHear(RendezvousMessage.DoYouHear ask) {
            listener.onDoYouHear(ask.question(), ask.process());
        }

        @Override
        public void onSilenced(RendezvousMessage.Silenced silenced) {
            unheard.remove(new RendezvousMessage.Suspect(silenced.process()));
            listener.onSilenced(silenced.process(), silenced.nonce(), silenced.reason());
        }

        @Override
        public void onAskWaits(RendezvousMessage.AskWaits ask) {
            listener.onWaitsAsked(ask.request());
        }

        @Override
        public void onKept(RendezvousMessage.Kept kept) {
            if (lease != null) {
                lease.answered(kept.number());
            }
        }

        @Override
        public void onSignal(RendezvousMessage.Signal signal) {
            if (signal.number() > lastSignal) {
                lastSignal = signal.number();
                listener.onSignal(signal.name());
            }
        }

        @Override
        public void onStoreAnswer(RendezvousMessage.StoreAnswer answer) {
            if (store != null) {
                store.onAnswer(answer.id(), answer.result());
            }
        }

        @Override
        public void onStoreExpired(RendezvousMessage.StoreExpired expired) {
            if (expired.session() == storeSession()) {
                expire(expired.why(), listener);
            }
        }
    }
}
