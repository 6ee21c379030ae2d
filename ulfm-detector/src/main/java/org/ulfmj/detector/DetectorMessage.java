package org.ulfmj.detector;

import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/** Messages of the ring detector and of failure notices. */
public sealed interface DetectorMessage {
    /**
     * A sign of life. A process sends it to each of its observers every period, and at once to another process that
     * sends OBSERVE or PROBE or is reported to complain, unless it has marked that process failed or departed.
     */
    record Heartbeat() implements DetectorMessage {}

    /** An observer asks a process, its emitter from now on, for heartbeats. */
    record Observe() implements DetectorMessage {}

    /** Tells a process that it need not send heartbeats to the sender of this message any more. */
    record Unobserve() implements DetectorMessage {}

    /**
     * Asks a process for one heartbeat, without making the asker an observer. An observer whose emitter has failed
     * sends it to the next live predecessors behind its new emitter, and again to those that stay silent.
     */
    record Probe() implements DetectorMessage {}

    /**
     * The news that {@code failed} is marked failed, with the evidence. {@link ReliableBroadcast} spreads it over all
     * members of the current membership.
     *
     * <p>If the failure is not certain, each process that spreads the obituary also sends it directly to the failed
     * process itself. The overlay passes over that process, yet the process may live, and must then hear that it is
     * excluded. The survivor core sends this copy. The excluded process takes the obituary from any sender, even from a
     * sender that it has itself marked failed.
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
