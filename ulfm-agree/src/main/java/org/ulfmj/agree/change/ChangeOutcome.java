package org.ulfmj.agree.change;

import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotSet;

/**
 * How a call of replace() or grow() ended. The kind of outcome is the same at all ranks that return from the call and
 * are not later reported failed.
 */
public sealed interface ChangeOutcome {
    /** The call made another world. This process is already in the membership epoch of that world. */
    record Admitted(Admission admission) implements ChangeOutcome {}

    /** No member has failed, no process is let in, and the world is not revoked: grow() returns it as it is (G5). */
    record Unchanged() implements ChangeOutcome {}

    /**
     * Nothing has changed: slots stay empty, and the terms are strict, or the addresses of the newcomers or of all
     * members do not fit into a message.
     *
     * @param missing the slots without a replacement, or all failed slots if the addresses do not fit; the same at all
     *     members
     * @param mayStillCome whether only the time or the number of offers ran out: for none of these slots it was
     *     announced that no process will come. The same at all members
     * @param why the reasons that are known here, in plain words
     */
    record Incomplete(SlotSet missing, boolean mayStillCome, String why) implements ChangeOutcome {}

    /** Nothing has changed: some members made another call. The decision says which call. */
    record Mixed(Decision decision) implements ChangeOutcome {}
}
