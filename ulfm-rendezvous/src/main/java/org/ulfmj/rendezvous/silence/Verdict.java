package org.ulfmj.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * J5: the decision that one process, or the processes of one host, are to end. The judge makes no second verdict while
 * this one stands.
 */
final class Verdict {
    /** The processes that still have to end: neither have they left, nor are they given up or lost with their host. */
    final List<Subject> victims;

    final String reason;

    /** When SIGKILL was last sent to victims; or, if that was later, when the judge was last restarted. */
    long killedNs;

    Verdict(List<Subject> victims, String reason, long killedNs) {
        this.victims = new ArrayList<>(victims);
        this.reason = reason;
        this.killedNs = killedNs;
    }

    boolean isOf(ProcessId process) {
        for (Subject victim : victims) {
            if (victim.id.equals(process)) {
                return true;
            }
        }
        return false;
    }

    /** Takes a process out of this verdict. Returns true if it was in it and was the last that had to end. */
    boolean isDoneWithout(ProcessId process) {
        return victims.removeIf(victim -> victim.id.equals(process)) && victims.isEmpty();
    }
}
