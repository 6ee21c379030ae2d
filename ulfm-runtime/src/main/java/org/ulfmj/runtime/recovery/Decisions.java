package org.ulfmj.runtime.recovery;

import java.util.ArrayDeque;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * The decisions of agreements that this rank has entered, and the listeners that wait for them. A decision is made
 * inside a step of the protocol, and a listener may begin another step, which must not happen before the first one
 * ends. So listeners are told at the next turn of the engine. Under the engine lock.
 */
public final class Decisions {
    /** Is told of the decision, once. */
    public interface Listener {
        void onDecided(Decision decision);
    }

    private record Told(Listener listener, Decision decision) {}

    /** The agreements of one communicator that this rank has entered, by sequence number. */
    private static final class OfCommunicator {
        /** Decisions that no call has taken yet. */
        final Long2ObjectHashMap<Decision> decisions = new Long2ObjectHashMap<>();
        /** The listeners to agreements that are not decided yet. */
        final Long2ObjectHashMap<Listener> listeners = new Long2ObjectHashMap<>();
    }

    private final Long2ObjectHashMap<OfCommunicator> byCommunicator = new Long2ObjectHashMap<>();
    private final ArrayDeque<Told> ready = new ArrayDeque<>();

    /**
     * Tells the listener, at a later turn of the engine, the decision of this agreement of the communicator, whether it
     * has been made already or is made later. The listener is not told if the communicator is freed before the decision
     * is made.
     */
    public void tell(MessageContext communicator, long sequence, Listener listener) {
        Decision known = take(communicator.id(), sequence);
        if (known != null) {
            ready.addLast(new Told(listener, known));
        } else {
            of(communicator.id()).listeners.put(sequence, listener);
        }
    }

    void onDecided(long communicator, long sequence, Decision decision) {
        OfCommunicator entered = of(communicator);
        Listener listener = entered.listeners.remove(sequence);
        if (listener != null) {
            ready.addLast(new Told(listener, decision));
        } else {
            entered.decisions.put(sequence, decision);
        }
    }

    boolean has(long communicator, long sequence) {
        OfCommunicator entered = byCommunicator.get(communicator);
        return entered != null && entered.decisions.containsKey(sequence);
    }

    /**
     * Removes and returns the decision of an agreement; null if none is kept, because it is not made yet, or was taken,
     * told or forgotten already.
     */
    Decision take(long communicator, long sequence) {
        OfCommunicator entered = byCommunicator.get(communicator);
        return entered == null ? null : entered.decisions.remove(sequence);
    }

    /** Forgets the decisions and listeners of a communicator that has been freed. */
    void forget(long communicator) {
        byCommunicator.remove(communicator);
    }

    private OfCommunicator of(long communicator) {
        OfCommunicator entered = byCommunicator.get(communicator);
        if (entered == null) {
            entered = new OfCommunicator();
            byCommunicator.put(communicator, entered);
        }
        return entered;
    }

    public boolean hasReady() {
        return !ready.isEmpty();
    }

    public int tellReady() {
        int count = 0;
        for (Told told = ready.pollFirst(); told != null; told = ready.pollFirst()) {
            told.listener.onDecided(told.decision);
            count++;
        }
        return count;
    }
}
