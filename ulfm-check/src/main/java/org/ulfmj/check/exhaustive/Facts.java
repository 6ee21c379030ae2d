package org.ulfmj.check.exhaustive;

import java.util.SortedMap;
import java.util.SortedSet;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The facts about one rank that the properties of a world look at.
 *
 * @param status whether the rank runs, or how it has ended; the other facts of an ended rank are not kept
 * @param failed slots that the rank has marked failed
 * @param entries the agreement calls that the rank has made
 * @param decisions the decisions of calls that have returned
 * @param firstHalves empty unless the program has uniform agreements; then, per call, the decision that it returned, or
 *     else the one that the rank stores
 * @param dropped calls that have returned and whose decisions the rank no longer stores
 * @param communicators the communicators that exist at the rank, with their members
 * @param revoked communicators of which the rank was told that they are revoked
 * @param revokes communicators that the rank has revoked by a call
 * @param freed communicators that the rank has freed
 * @param forgotten communicators that the rank's core has reported as forgotten
 * @param cameBack forgotten communicators that count as revoked at the rank again
 * @param finished whether the rank's program has ended, with all its calls returned
 * @param leaving whether Finalize is decided at the rank
 * @param emitter the process that the rank's heartbeat ring listens to, or null
 * @param observers the processes that the rank sends heartbeats to
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

    /** Whether a rank runs, or how it has ended. */
    enum Status {
        RUNNING,
        CRASHED,
        FENCED,
        /** Its process has ended after Finalize. */
        EXITED
    }

    /** The key of one agreement. */
    record Call(long communicator, long sequence) implements Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            int byCommunicator = Long.compare(communicator, other.communicator);
            return byCommunicator != 0 ? byCommunicator : Long.compare(sequence, other.sequence);
        }
    }

    /** The slots that a rank acknowledged when it entered an agreement, and the members that it had marked failed. */
    record Entry(SlotSet acknowledged, SlotSet failedBefore) {}

    boolean isRunning() {
        return status == Status.RUNNING;
    }
}
