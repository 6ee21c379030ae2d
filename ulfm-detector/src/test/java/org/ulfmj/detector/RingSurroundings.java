package org.ulfmj.detector;

import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/** What the tests of a ring give it: timing, the set of known failures, a stall guard, messages, and an outbox. */
final class RingSurroundings {
    static final long MS = 1_000_000;
    static final long PERIOD = 100 * MS;
    static final long TIMEOUT = 1_000 * MS;
    static final Timing TIMING = Timing.fromTimeout(TIMEOUT);
    static final DetectorMessage HEARTBEAT = new DetectorMessage.Heartbeat();
    static final DetectorMessage OBSERVE = new DetectorMessage.Observe();
    static final DetectorMessage UNOBSERVE = new DetectorMessage.Unobserve();
    static final DetectorMessage PROBE = new DetectorMessage.Probe();

    final FailureSet failures = new FailureSet();
    final StallGuard guard = new StallGuard();
    final Outgoing<DetectorMessage> out = new Outgoing<>();

    RingDetector started(int me, int size) {
        RingDetector ring = ring(me, Membership.initial(size));
        ring.start(0, out);
        return ring;
    }

    /**
     * Makes and starts a ring as of a process that has run for a minute, so that the longer time allowed for a slow
     * start has passed.
     */
    RingDetector startedLongAgo(int me, int size) {
        Membership members = Membership.initial(size);
        RingDetector ring = new RingDetector(ProcessId.of(me), members, failures, TIMING, guard, -60_000 * MS);
        ring.start(0, out);
        return ring;
    }

    RingDetector ring(int me, Membership membership) {
        return new RingDetector(ProcessId.of(me), membership, failures, TIMING, guard, 0);
    }

    void fail(RingDetector ring, int slot, long nowNs) {
        failures.markFailed(ProcessId.of(slot), new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "test"), nowNs);
        ring.onGone(ProcessId.of(slot), nowNs, out);
    }

    /** Calls {@code onTick} of the ring at each time for which it asked, up to and including {@code untilNs}. */
    void run(RingDetector ring, long untilNs) {
        while (ring.nextDeadlineNs() <= untilNs) {
            ring.onTick(ring.nextDeadlineNs(), out);
        }
    }
}
