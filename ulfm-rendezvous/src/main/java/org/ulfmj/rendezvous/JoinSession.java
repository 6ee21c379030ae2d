package org.ulfmj.rendezvous;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

/**
 * A rank's end of the rendezvous, without its connection: what to say on each new one, what a message means now, and
 * what has to be said again because no process has answered yet. Pure, not thread-safe.
 */
public final class JoinSession {
    /** Where this process stands. */
    public enum State {
        /** The process is not part of anything yet. */
        JOINING,
        /** Has confirmed a table; whether it becomes the world is open. */
        CONFIRMED,
        /** The process is not part of the running world, and waits to be admitted to it. */
        PENDING,
        /** Part of the world. */
        RUNNING,
        /** Told that it is not part of it. */
        OUT
    }

    private final MemberRecord me;
    private final Map<Object, RendezvousMessage> unheard = new LinkedHashMap<>();
    private final Map<Long, StoreReply> replies = new LinkedHashMap<>();
    private State state = State.JOINING;
    private int round;
    private int epoch;

    /** The world that this process entered by being admitted, or by admitting others; null in its first epoch. */
    private RendezvousMessage.Committed committed;

    /** Was pending, and has said since that it does not run. */
    private boolean called;

    /** Was pending before the present table was proposed. */
    private boolean hasWaited;

    private long lastRequest;
    private boolean goodbyeHeard;
    private List<MemberRecord> table = List.of();
    private RendezvousMessage.Out out;

    /** @param me with its nonce, and a listener that is bound: a table is confirmed at once */
    public JoinSession(MemberRecord me) {
        this.me = me;
    }

    public State state() {
        return state;
    }

    /** Whether it is decided whether this process is part of the world, or has to wait for those that are. */
    public boolean isSettled() {
        return state == State.PENDING || state == State.RUNNING || state == State.OUT;
    }

    /**
     * Whether this process, being pending, may take the word of a member that it is admitted. Not after it has said
     * that it does not run, until it hears again that a world is there: its word may have been taken for the truth.
     */
    public boolean mayBeAdmitted() {
        return state == State.PENDING && !called;
    }

    /**
     * The members in slot order: of the world that this process runs in; of the one that it waits for, without itself,
     * in {@link State#PENDING}. Empty before.
     */
    public List<MemberRecord> table() {
        return table;
    }

    /** The round of the world that this process runs in, or waits for; 0 before it knows of one. */
    public int round() {
        return round;
    }

    /** The epoch of the world that this process runs in, or waits for. */
    public int epoch() {
        return epoch;
    }

    /** Why not; null unless {@link State#OUT}. */
    public RendezvousMessage.Out out() {
        return out;
    }

    /** A connection stands: says who this is, and again what was never answered. */
    public void onConnected(Consumer<RendezvousMessage> send) {
        boolean isRunning = state == State.RUNNING;
        send.accept(new RendezvousMessage.Join(me, isRunning ? round : 0, isRunning ? epoch : 0));
        if (isRunning && committed != null) {
            send.accept(committed);
        }
        for (RendezvousMessage message : unheard.values()) {
            send.accept(message);
        }
    }

    /** A message of the launcher arrived. */
    public void onMessage(RendezvousMessage message, Consumer<RendezvousMessage> send, ClientListener listener) {
        if (state == State.OUT) {
            return;
        }
        if (message instanceof RendezvousMessage.Table proposed) {
            onTable(proposed, send);
        } else if (message instanceof RendezvousMessage.Final world) {
            onFinal(world, listener);
        } else if (message instanceof RendezvousMessage.Wait wait) {
            onWait(wait);
        } else if (message instanceof RendezvousMessage.Recall recall) {
            onRecall(recall, send);
        } else if (message instanceof RendezvousMessage.Out end) {
            onOut(end, listener);
        } else {
            onNews(message, listener);
        }
    }

    private void onNews(RendezvousMessage message, ClientListener listener) {
        if (message instanceof RendezvousMessage.Pending pending) {
            listener.onPending(pending.member());
        } else if (message instanceof RendezvousMessage.NoMore none) {
            listener.onNoMore(none.slot(), none.why());
        } else if (message instanceof RendezvousMessage.Death death) {
            unheard.remove(new RendezvousMessage.Suspect(death.process()));
            listener.onDeath(death.process(), death.reason());
        } else if (message instanceof RendezvousMessage.Departed departed) {
            unheard.remove(new RendezvousMessage.Suspect(departed.process()));
            listener.onDeparted(departed.process());
        } else if (message instanceof RendezvousMessage.Fence fence) {
            listener.onFence(fence.reason());
        } else if (message instanceof RendezvousMessage.Abort abort) {
            onAbort(abort, listener);
        } else if (message instanceof RendezvousMessage.AskWaits ask) {
            listener.onWaitsAsked(ask.request());
        } else if (message instanceof RendezvousMessage.AreYouThere ask) {
            listener.onAreYouThere(ask.question(), ask.complainers());
        } else if (message instanceof RendezvousMessage.DoYouHear ask) {
            listener.onDoYouHear(ask.question(), ask.process());
        } else if (message instanceof RendezvousMessage.Silenced silenced) {
            unheard.remove(new RendezvousMessage.Suspect(silenced.process()));
            listener.onSilenced(silenced.process(), silenced.reason());
        } else if (message instanceof RendezvousMessage.GoodbyeHeard) {
            goodbyeHeard = true;
            unheard.remove(RendezvousMessage.Goodbye.class);
        } else if (message instanceof RendezvousMessage.Stored stored) {
            answer(stored.request(), null, stored.refusal());
        } else if (message instanceof RendezvousMessage.Value value) {
            answer(value.request(), value.value(), "");
        }
    }

    /** An old table may still be on its way, and the same one comes again after a lost confirmation. */
    private void onTable(RendezvousMessage.Table proposed, Consumer<RendezvousMessage> send) {
        boolean isNew = proposed.round() > round;
        boolean isAgain = proposed.round() == round && state == State.CONFIRMED;
        if (state != State.RUNNING && (isNew || isAgain)) {
            hasWaited |= state == State.PENDING;
            round = proposed.round();
            state = State.CONFIRMED;
            send.accept(new RendezvousMessage.Confirm(round));
        }
    }

    private void onFinal(RendezvousMessage.Final world, ClientListener listener) {
        if (state == State.CONFIRMED && world.round() == round) {
            epoch = world.epoch();
            table = world.members();
            state = State.RUNNING;
            if (hasWaited) {
                listener.onGathered(table);
            }
        }
    }

    private void onWait(RendezvousMessage.Wait wait) {
        boolean isNews = state == State.CONFIRMED ? wait.round() > round : wait.round() >= round;
        if (state == State.RUNNING || !isNews) {
            return;
        }
        round = wait.round();
        if (wait.members().isEmpty()) {
            return;
        }
        epoch = wait.epoch();
        table = wait.members();
        state = State.PENDING;
        called = false;
    }

    private void onRecall(RendezvousMessage.Recall recall, Consumer<RendezvousMessage> send) {
        if (state != State.RUNNING) {
            called = true;
            send.accept(new RendezvousMessage.StillWaiting(recall.call()));
        } else if (committed != null) {
            send.accept(committed);
        }
    }

    /**
     * This process has entered a later epoch of the world: it was admitted, or it admitted others. Without effect on
     * one that was told to end.
     *
     * @throws IllegalStateException if it neither runs nor may be admitted
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
        committed = new RendezvousMessage.Committed(round, newEpoch, table, digest);
        send.accept(committed);
    }

    private void onOut(RendezvousMessage.Out end, ClientListener listener) {
        State was = state;
        state = State.OUT;
        out = end;
        if (was == State.RUNNING) {
            listener.onFence(end.text());
        } else if (was == State.PENDING || hasWaited) {
            listener.onOut(end.reason(), end.text());
        }
    }

    private void onAbort(RendezvousMessage.Abort abort, ClientListener listener) {
        if (state == State.RUNNING || state == State.PENDING || hasWaited) {
            listener.onAbort(abort.code(), abort.reason());
        } else {
            state = State.OUT;
            out = new RendezvousMessage.Out(OutReason.CLOSED, abort.reason());
        }
    }

    private void answer(long request, byte[] value, String refusal) {
        StoreReply reply = replies.remove(request);
        unheard.remove(request);
        if (reply != null) {
            reply.complete(value, refusal);
        }
    }

    /** Says goodbye, until it was heard. */
    public void goodbye(SlotSet heldForFailed, Consumer<RendezvousMessage> send) {
        say(RendezvousMessage.Goodbye.class, new RendezvousMessage.Goodbye(heldForFailed), send);
    }

    public boolean isGoodbyeHeard() {
        return goodbyeHeard;
    }

    public void reached(int rule, Consumer<RendezvousMessage> send) {
        RendezvousMessage message = new RendezvousMessage.Reached(rule);
        say(message, message, send);
    }

    /** Complains of a process, until it is withdrawn or the process has ended. */
    public void suspect(ProcessId process, Consumer<RendezvousMessage> send) {
        RendezvousMessage message = new RendezvousMessage.Suspect(process);
        say(message, message, send);
    }

    /** Withdraws the complaint about a process. A connection that breaks withdraws it too, so this is said once. */
    public void heard(ProcessId process, Consumer<RendezvousMessage> send) {
        if (unheard.remove(new RendezvousMessage.Suspect(process)) != null) {
            send.accept(new RendezvousMessage.Heard(process));
        }
    }

    public void abort(int code, String reason, Consumer<RendezvousMessage> send) {
        say(RendezvousMessage.Abort.class, new RendezvousMessage.Abort(code, reason), send);
    }

    public StoreReply put(String key, byte[] value, Consumer<RendezvousMessage> send) {
        long request = ++lastRequest;
        return request(request, new RendezvousMessage.Put(request, key, value), send);
    }

    public StoreReply get(String key, Consumer<RendezvousMessage> send) {
        long request = ++lastRequest;
        return request(request, new RendezvousMessage.Get(request, key), send);
    }

    private StoreReply request(long request, RendezvousMessage message, Consumer<RendezvousMessage> send) {
        StoreReply reply = new StoreReply();
        replies.put(request, reply);
        say(request, message, send);
        return reply;
    }

    private void say(Object key, RendezvousMessage message, Consumer<RendezvousMessage> send) {
        unheard.put(key, message);
        send.accept(message);
    }
}
