package org.ulfmj.rendezvous;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

/**
 * A rank's end of the rendezvous, without its connection: what to say on each new one, what a message means now, and what
 * has to be said again because nobody has answered yet. Pure, not thread-safe.
 */
public final class JoinSession {
    /** Where this process stands. */
    public enum State {
        /** Not part of anything yet. */
        JOINING,
        /** Has confirmed a table; whether it becomes the world is open. */
        CONFIRMED,
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

    /** Whether it is decided whether this process is part of the world. */
    public boolean isSettled() {
        return state == State.RUNNING || state == State.OUT;
    }

    /** The members in slot order; empty until {@link State#RUNNING}. */
    public List<MemberRecord> table() {
        return table;
    }

    /** Why not; null unless {@link State#OUT}. */
    public RendezvousMessage.Out out() {
        return out;
    }

    /** A connection stands: says who this is, and again what was never answered. */
    public void onConnected(Consumer<RendezvousMessage> send) {
        boolean isRunning = state == State.RUNNING;
        send.accept(new RendezvousMessage.Join(me, isRunning ? round : 0, isRunning ? epoch : 0));
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
            onFinal(world);
        } else if (message instanceof RendezvousMessage.Out end) {
            onOut(end, listener);
        } else if (message instanceof RendezvousMessage.Death death) {
            listener.onDeath(death.process(), death.reason());
        } else if (message instanceof RendezvousMessage.Departed departed) {
            listener.onDeparted(departed.process());
        } else if (message instanceof RendezvousMessage.Fence fence) {
            listener.onFence(fence.reason());
        } else if (message instanceof RendezvousMessage.Abort abort) {
            onAbort(abort, listener);
        } else if (message instanceof RendezvousMessage.AskWaits ask) {
            listener.onWaitsAsked(ask.request());
        } else if (message instanceof RendezvousMessage.GoodbyeHeard) {
            goodbyeHeard = true;
            unheard.remove(RendezvousMessage.Goodbye.class);
        } else if (message instanceof RendezvousMessage.Stored stored) {
            answer(stored.request(), null, stored.refusal());
        } else if (message instanceof RendezvousMessage.Value value) {
            answer(value.request(), value.value(), "");
        }
    }

    private void onTable(RendezvousMessage.Table proposed, Consumer<RendezvousMessage> send) {
        // An old table may still be on its way, and the same one comes again after a lost confirmation.
        if (state != State.RUNNING && proposed.round() >= round) {
            round = proposed.round();
            state = State.CONFIRMED;
            send.accept(new RendezvousMessage.Confirm(round));
        }
    }

    private void onFinal(RendezvousMessage.Final world) {
        if (state != State.RUNNING && world.round() >= round) {
            round = world.round();
            epoch = world.epoch();
            table = world.members();
            state = State.RUNNING;
        }
    }

    private void onOut(RendezvousMessage.Out end, ClientListener listener) {
        boolean wasRunning = state == State.RUNNING;
        state = State.OUT;
        out = end;
        if (wasRunning) {
            listener.onFence(end.text());
        }
    }

    private void onAbort(RendezvousMessage.Abort abort, ClientListener listener) {
        if (state == State.RUNNING) {
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

    public void unreachable(ProcessId process, Consumer<RendezvousMessage> send) {
        RendezvousMessage message = new RendezvousMessage.Unreachable(process);
        say(message, message, send);
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
