package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * Decides when to dial again and how long to wait for a handshake (rules L2 and L11). The pause before the next dial
 * doubles from 10 ms up to 250 ms, or up to 40 ms after some failures, but at most to a sixth of the link budget. The
 * wait for an answer doubles, up to the budget, after each dial that the peer's system has answered and the peer has
 * not. Both begin anew once a connection has carried a frame or an acknowledgement: a peer that accepts connections and
 * ends them at once is not dialed without a pause.
 *
 * <p>For a dial that not even the operating system of the peer answers, by establishing the TCP connection, the wait
 * does not double, but grows with the time for which no dial has been answered. Its first packet is lost where the
 * network is silent for a moment, and a new dial gets through as soon as the network is back; this rank's system would
 * send that packet again only after a second.
 */
final class DialPace {
    private static final long FIRST_STEP_NS = 10_000_000;
    private static final long LAST_STEP_NS = 250_000_000;
    /**
     * The longest pause after a connection on which the peer had answered ended before it carried anything, as the
     * network may have cut it, and after a dial that the operating system of the peer has not answered, as the network
     * may be back at any time.
     */
    private static final long LAST_STEP_OF_LIVE_NS = 40_000_000;

    private final Timing timing;
    private final long lastStepNs;
    private long stepNs;
    private long answerNs;
    private long nextDialNs = Long.MIN_VALUE;
    /**
     * When the first of the present row of dials began that no operating system has answered; has a meaning only if
     * {@link #isUnreached}.
     */
    private long unreachedSinceNs;

    private boolean isUnreached;

    DialPace(Timing timing) {
        this.timing = timing;
        this.lastStepNs = Math.min(LAST_STEP_NS, timing.linkBudgetNs() / 6);
        onCarried();
    }

    /** A dial ended, and its connection was not adopted. */
    void onFailed(long nowNs) {
        isUnreached = false;
        dialLater(nowNs);
    }

    private void dialLater(long nowNs) {
        nextDialNs = nowNs + stepNs;
        stepNs = Math.min(2 * stepNs, lastStepNs);
    }

    private void dialSoon(long nowNs) {
        stepNs = Math.min(stepNs, Math.min(LAST_STEP_OF_LIVE_NS, lastStepNs));
        dialLater(nowNs);
    }

    /** A connection on which the peer had answered ended before it carried anything. */
    void onCutOff(long nowNs) {
        isUnreached = false;
        dialSoon(nowNs);
    }

    /** A dial ended because no answer came in time: as {@link #onFailed}, and the next dial waits longer. */
    void onSilence(long nowNs) {
        onFailed(nowNs);
        answerNs = Math.min(2 * answerNs, timing.linkBudgetNs());
    }

    /** A dial begins. Returns how long to wait until the operating system of the peer establishes the connection. */
    long beginConnect(long nowNs) {
        if (!isUnreached) {
            isUnreached = true;
            unreachedSinceNs = nowNs;
        }
        // Longer the longer no dial has been answered, for a path on which each answer takes long.
        return Math.max(timing.linkRtoNs(), Math.min((nowNs - unreachedSinceNs) / 4, timing.linkBudgetNs()));
    }

    /** The system of the peer has answered. */
    void onReached() {
        isUnreached = false;
    }

    /**
     * A dial ended because the operating system of the peer has not answered in time. The next one follows soon, and
     * may get through.
     */
    void onUnreached(long nowNs) {
        dialSoon(nowNs);
    }

    /**
     * A connection that had carried a frame or an acknowledgement ended. The rank with the lower slot dials at once,
     * the one with the higher slot a pause later, so that their attempts mostly do not cross.
     */
    void onLost(boolean isLower, long nowNs) {
        nextDialNs = isLower ? nowNs : nowNs + stepNs;
    }

    /** The adopted connection has carried a frame or an acknowledgement of the peer. */
    void onCarried() {
        isUnreached = false;
        stepNs = Math.min(FIRST_STEP_NS, lastStepNs);
        answerNs = timing.linkRtoNs();
    }

    boolean mayDial(long nowNs) {
        return nextDialNs == Long.MIN_VALUE || nowNs - nextDialNs >= 0;
    }

    long nextDialNs() {
        return nextDialNs;
    }

    /** How long a dial whose connection is established waits for the next answer of the peer. */
    long answerNs() {
        return answerNs;
    }
}
