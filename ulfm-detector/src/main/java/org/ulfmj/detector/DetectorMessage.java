package org.ulfmj.detector;

import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/** Messages of the ring detector and of failure notices. */
public sealed interface DetectorMessage {
    /** Emitter to each of its observers, every period; and to any process that sends OBSERVE or PROBE, at once. */
    record Heartbeat() implements DetectorMessage {}

    /** Observer to its emitter: beat for me. */
    record Observe() implements DetectorMessage {}

    /** Observer to its former emitter: stop beating for me. */
    record Unobserve() implements DetectorMessage {}

    /**
     * An observer whose emitter has failed asks the live predecessors behind its new emitter for one heartbeat. The
     * answer does not make the asker an observer.
     */
    record Probe() implements DetectorMessage {}

    /**
     * {@code failed} is marked failed, for this reason. Spread by {@link ReliableBroadcast} over all members of the
     * current membership.
     *
     * <p>A process that learns of a failure that is not certain also sends this to the failed process itself, once and
     * directly: the overlay passes over it, yet it may live, and it must hear that it is excluded. The survivor core
     * does that; the excluded process obeys the obituary from any sender, even from one that it has itself marked
     * failed.
     */
    record Obituary(ProcessId failed, Evidence evidence) implements DetectorMessage, ReliableBroadcast.Event {
        /** One obituary per process, regardless of the evidence. */
        @Override
        public Object key() {
            return failed;
        }

        @Override
        public SlotRuns membersIn(Membership current) {
            return current.slots();
        }

        @Override
        public int originSlot() {
            return evidence.declaredBy().slot();
        }
    }
}
