package org.ulfmj.check.exhaustive;

import java.util.SortedMap;
import java.util.SortedSet;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * What the properties of a world look at in one rank.
 *
 * @param status whether it runs
 * @param failed slots that it has marked failed
 * @param entries the agreement calls that it has made
 * @param decisions those of them that have returned
 * @param firstHalves decisions of the first halves of uniform agreements, returned or not
 * @param dropped calls whose decisions it no longer stores
 * @param communicators those that exist here, with their members
 * @param revoked communicators of which it was told that they are revoked
 * @param revokes communicators that it has revoked by a call
 * @param freed communicators that it has freed
 * @param forgotten those of which nothing is left there
 * @param cameBack those of which something was held again after that
 * @param finished whether its program is through
 * @param leaving whether Finalize is decided here
 * @param emitter whom its heartbeat ring listens to, or null
 * @param observers for whom it beats
 */
record Facts(
        Status status,
        SlotSet failed,
        SortedMap<Call, Entry> entries,
        SortedMap<Call, Decision> decisions,
        SortedMap<Call, Decision> firstHalves,
        SortedSet<Call> dropped,
        SortedMap<Long, SlotRuns> communicators,
        SortedSet<Long> revoked,
        SortedSet<Long> revokes,
        SortedSet<Long> freed,
        SortedSet<Long> forgotten,
        SortedSet<Long> cameBack,
        boolean finished,
        boolean leaving,
        ProcessId emitter,
        SortedSet<ProcessId> observers) {

    /** What has become of a rank. */
    enum Status {
        RUNNING,
        CRASHED,
        FENCED,
        /** Its process has ended after Finalize. */
        EXITED
    }

    /** One agreement. */
    record Call(long communicator, long sequence) implements Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            int byCommunicator = Long.compare(communicator, other.communicator);
            return byCommunicator != 0 ? byCommunicator : Long.compare(sequence, other.sequence);
        }
    }

    /** What a rank brought in, and whom it marked failed then. */
    record Entry(SlotSet acknowledged, SlotSet failedBefore) {}

    boolean isRunning() {
        return status == Status.RUNNING;
    }
}
