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
     * An observer whose emitter has failed, to the live predecessors behind its new one: one heartbeat, please. It
     * makes no process an observer.
     */
    record Probe() implements DetectorMessage {}

    /**
     * {@code failed} is marked failed, for this reason. Spread by {@link ReliableBroadcast} over all members of the
     * current membership.
     *
     * <p>Who learns of a failure that is not certain also sends this to the failed process itself, once and directly:
     * the overlay passes over it, yet it may live, and it must hear that it is excluded. That is the task of the
     * survivor core, which knows both; the subject obeys it from anyone, even from a process that it has marked failed.
     */
    record Obituary(ProcessId failed, Evidence evidence) implements DetectorMessage, ReliableBroadcast.Event {
        /** One obituary a process, regardless of the evidence. */
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
