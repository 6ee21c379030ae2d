package org.ulfmj.runtime;

import java.util.ArrayDeque;
import org.ulfmj.agree.message.Decision;

/**
 * Agreements that a rank was promised to be told of. A decision is made inside a step of the protocol, which must not
 * be entered again before it ends, so it is passed on at the next turn of the engine. Under the engine lock.
 */
final class Decisions {
    /** Is told of the decision, once. */
    interface Listener {
        void onDecided(Decision decision);
    }

    private record Told(Listener listener, Decision decision) {}

    private final ArrayDeque<Told> ready = new ArrayDeque<>();

    /** Tells the listener, at a later turn, what this agreement of the communicator decides or has decided. */
    void tell(CommunicatorState communicator, long sequence, Listener listener) {
        Decision known = communicator.decisions.remove(sequence);
        if (known != null) {
            ready.addLast(new Told(listener, known));
        } else {
            communicator.decisionListeners.put(sequence, listener);
        }
    }

    void onDecided(CommunicatorState communicator, long sequence, Decision decision) {
        Listener listener = communicator.decisionListeners.remove(sequence);
        if (listener != null) {
            ready.addLast(new Told(listener, decision));
        } else {
            communicator.decisions.put(sequence, decision);
        }
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    int tellReady() {
        int count = 0;
        for (Told told = ready.pollFirst(); told != null; told = ready.pollFirst()) {
            told.listener.onDecided(told.decision);
            count++;
        }
        return count;
    }
}
