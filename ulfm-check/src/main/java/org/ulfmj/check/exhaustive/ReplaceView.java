package org.ulfmj.check.exhaustive;

import java.util.SortedSet;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.ProcessId;

/**
 * One state of one process of a small world of replace(), as the search sees it.
 *
 * @param admission the new world that it is in, or null
 * @param agreed what it agreed on there, or null
 * @param finished whether its program is through
 * @param isPending whether it waits to be let in
 * @param failed whom it has marked failed
 * @param known with whom it may talk
 * @param toldDead of whose death it was told
 * @param toldNoMore slots in which no process is started any more, as it was told
 * @param toldPending whether it was told of the newcomer
 * @param decidedBefore number of the last agreement of the first world that is decided here
 * @param decidedAfter the same of the new world
 * @param choices codes of what it may do by itself
 */
record ReplaceView(
        ProcessId id,
        Admission admission,
        Decision agreed,
        boolean finished,
        boolean isPending,
        SortedSet<ProcessId> failed,
        SortedSet<ProcessId> known,
        SortedSet<ProcessId> toldDead,
        SortedSet<Integer> toldNoMore,
        boolean toldPending,
        long decidedBefore,
        long decidedAfter,
        int[] choices) {

    /** Whether a message does nothing here, now or at any later time. */
    boolean isSettled(ProcessId from, ControlMessage message) {
        if (failed.contains(from)) {
            return true; // R0
        }
        if (message instanceof ControlMessage.Down down && !isPending) {
            if (down.communicator() == ExhaustiveRank.COMM_WORLD) {
                return down.sequence() <= decidedBefore;
            }
            return admission != null && down.communicator() == admission.world() && down.sequence() <= decidedAfter;
        }
        return false;
    }
}
