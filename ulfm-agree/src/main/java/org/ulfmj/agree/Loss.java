package org.ulfmj.agree;

import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** A failure that is marked here, or is about to be. */
record Loss(ProcessId process, Evidence evidence) {
    /** The slots that the lost processes hold in the membership. A slot that another incarnation holds is left out. */
    static SlotSet slots(List<Loss> losses, Membership membership) {
        SlotSet slots = SlotSet.EMPTY;
        for (Loss loss : losses) {
            ProcessId process = loss.process();
            if (membership.incarnation(process.slot()) == process.incarnation()) {
                slots = slots.with(process.slot());
            }
        }
        return slots;
    }
}
