package org.ulfmj.detector;

import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/** Messages of the ring detector and of failure notices. */
public sealed interface DetectorMessage {
    /**
     * A sign of life. An emitter sends it to each of its observers every period, and at once to any process that sends
     * OBSERVE or PROBE.
     */
    record Heartbeat() implements DetectorMessage {}

    /** An observer asks a process, its emitter from now on, for heartbeats. */
    record Observe() implements DetectorMessage {}

    /** An observer tells its former emitter that it needs no heartbeats any more. */
    record Unobserve() implements DetectorMessage {}

    /**
     * An observer whose emitter has failed asks the live predecessors behind its new emitter for one heartbeat. The
     * answer does not make the asker an observer.
     */
    record Probe() implements DetectorMessage {}

    /**
     * The news that {@code failed} is marked failed, with the evidence. {@link ReliableBroadcast} spreads it over all
     * members of the current membership.
     *
     * <p>If the failure is not certain, each process that learns of it also sends the obituary to the failed process
     * itself, once and directly. The overlay passes over that process, yet the process may live, and must then hear
     * that it is excluded. The survivor core sends this copy. The excluded process obeys the obituary from any sender,
     * even from a sender that it has itself marked failed.
     */
    record Obituary(ProcessId failed, Evidence evidence) implements DetectorMessage, ReliableBroadcast.Event {
        /**
         * Returns the failed process: two obituaries of one process are the same event, even if their evidence differs.
         */
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
