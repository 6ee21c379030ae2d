package org.ulfmj.runtime;

import org.ulfmj.agree.message.Decision;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** A call that waits for the decision of an agreement. */
final class Agreement implements NamedWait {
    private final RankEngine engine;
    private final CommunicatorState communicator;
    private final String call;
    private final long sequence;

    Agreement(RankEngine engine, CommunicatorState communicator, String call, long sequence) {
        this.engine = engine;
        this.communicator = communicator;
        this.call = call;
        this.sequence = sequence;
    }

    long sequence() {
        return sequence;
    }

    @Override
    public boolean isDone() {
        return communicator.decisions.containsKey(sequence);
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.agreement(communicator, call, sequence, engine.control().awaited(communicator, sequence));
    }

    Decision takeDecision() {
        return communicator.decisions.remove(sequence);
    }

    @Override
    public String toString() {
        return call + " on " + communicator + ", agreement " + sequence + " there: "
                + engine.control().describe(communicator, sequence);
    }
}
