package org.ulfmj.transport.session;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/**
 * What the tests that extend this class begin with, the two sessions of a link: {@code low} is the session of the rank
 * with the lower slot, and {@code high} that of its peer with the higher slot.
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

    /** {@code low} has dialed connection 1, and its peer has accepted it. */
    void connectLow() {
        low.onOffered(0);
        low.onChallenge(1, 0);
        low.onOk(1, new LinkOk(1, 0), 0);
        lowActions.take();
    }
}
