package org.ulfmj.transport.session;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/**
 * What tests of a link begin with, its two sessions: {@code low} is that of the lower slot with the higher,
 * {@code high} the other way.
 */
abstract class LinkEnds {
    static final long MS = 1_000_000;

    /** Handshakes 500 ms, budget 3 s. */
    static final Timing TIMING = Timing.fromTimeout(5_000 * MS);

    static final LinkIdentity LOW = new LinkIdentity(ProcessId.of(0), 100);
    static final LinkIdentity HIGH = new LinkIdentity(ProcessId.of(1), 101);

    /** A connection that the other side has dialed. */
    static final Integer THEIRS = 77;

    final RecordedActions lowActions = new RecordedActions();
    final RecordedActions highActions = new RecordedActions();
    final LinkSession<Integer> low = new LinkSession<>(LOW, HIGH, TIMING, lowActions);
    final LinkSession<Integer> high = new LinkSession<>(HIGH, LOW, TIMING, highActions);

    static LinkHello fromLow(long generation) {
        return new LinkHello(LOW, HIGH, generation, 0);
    }

    static LinkHello fromHigh(long generation) {
        return new LinkHello(HIGH, LOW, generation, 0);
    }

    /** {@code low} has dialed and been taken, number 1. */
    void connectLow() {
        low.onOffered(0);
        low.onChallenge(1, 0);
        low.onOk(1, new LinkOk(1, 0), 0);
        lowActions.take();
    }
}
