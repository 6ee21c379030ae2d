package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * When to dial again and how long to wait for a handshake (rules L2 and L11): the back-off goes from 10 ms to 250 ms or
 * a sixth of the budget, the wait for an answer doubles with each one that did not come.
 */
final class DialPace {
    private static final long FIRST_STEP_NS = 10_000_000;
    private static final long LAST_STEP_NS = 250_000_000;

    private final Timing timing;
    private final long lastStepNs;
    private long stepNs;
    private long answerNs;
    private long nextDialNs = Long.MIN_VALUE;

    DialPace(Timing timing) {
        this.timing = timing;
        this.lastStepNs = Math.min(LAST_STEP_NS, timing.linkBudgetNs() / 6);
        onAdopted();
    }

    /** A dial ended without an adoption. */
    void onFailed(long nowNs) {
        nextDialNs = nowNs + stepNs;
        stepNs = Math.min(2 * stepNs, lastStepNs);
    }

    /** As {@link #onFailed}, because no answer came in time. */
    void onSilence(long nowNs) {
        onFailed(nowNs);
        answerNs = Math.min(2 * answerNs, timing.linkBudgetNs());
    }

    void onAdopted() {
        stepNs = Math.min(FIRST_STEP_NS, lastStepNs);
        answerNs = timing.linkRtoNs();
    }

    boolean mayDial(long nowNs) {
        return nextDialNs == Long.MIN_VALUE || nowNs - nextDialNs >= 0;
    }

    long nextDialNs() {
        return nextDialNs;
    }

    /** How long the next handshake may take. */
    long answerNs() {
        return answerNs;
    }
}
