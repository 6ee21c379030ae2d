package org.ulfmj.check.exhaustive;

import java.util.SortedSet;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.ProcessId;

/**
 * One state of one process of a small world of replace() or grow(), as the search sees it.
 *
 * @param admission the new world that the process is in, or null
 * @param agreed the decision of its agreement in the new world, or null
 * @param finished whether its program has ended, with the agreement or with a call that made no new world
 * @param isPending whether it waits to be admitted
 * @param failed the processes that it has marked failed
 * @param known the processes whose messages it takes
 * @param toldDead the processes of whose death it was told by the launcher
 * @param toldNoMore the slots of which it was told that no process is started any more
 * @param toldPending whether it was told of the newcomer
 * @param decidedBefore number of the last agreement of the first world that is decided at it; the largest value once it
 *     is in the new world
 * @param decidedAfter number of the last agreement of the new world that is decided at it; 0 before it has built the
 *     communicator of that world
 * @param choices codes of the events that it may cause by itself
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

    /** Whether it is certain that a message will do nothing at the process, no matter when it arrives. */
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
