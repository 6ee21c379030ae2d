package org.ulfmj.agree;

import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotSet;

/** How a call of replace() ended; of the same sort at all who return from it and are not later reported failed. */
public sealed interface ReplaceOutcome {
    /** There is another world. This process is in its membership epoch already. */
    record Admitted(Admission admission) implements ReplaceOutcome {}

    /**
     * Nothing has changed: slots stay empty, and the terms are strict.
     *
     * @param missing the slots without a replacement, the same for all
     * @param mayStillCome whether only the time was over, and of none of them it is announced that no process will
     *     come; the same for all
     * @param why as far as it is known here, in plain words
     */
    record NotReplaced(SlotSet missing, boolean mayStillCome, String why) implements ReplaceOutcome {}

    /** Nothing has changed: some called something else, and this decision says what. */
    record Mixed(Decision decision) implements ReplaceOutcome {}
}
