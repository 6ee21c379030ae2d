package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;

/**
 * A process that waits to be let into a running world (P6). It beats for any process that asks, for a survivor may be
 * in the next epoch already and observe it; all else is held, in the order of arrival, until it is told which world it
 * is in: what is said in that world must neither get lost nor be taken for something else.
 */
final class Newcomer {
    /** One message and who sent it. */
    record Held(ProcessId from, ControlMessage message) {}

    private final ProcessId me;
    private final long nonce;
    private final List<Held> held = new ArrayList<>();

    Newcomer(ProcessId me, long nonce) {
        this.me = me;
        this.nonce = nonce;
    }

    void hold(ProcessId from, ControlMessage message) {
        held.add(new Held(from, message));
    }

    /** What came before the welcome. */
    List<Held> held() {
        return held;
    }

    /**
     * Whether this very process is a member of that world, and not another one of its slot or even of its name. (The
     * nonce is a second lock: one launcher gives no name twice.)
     */
    boolean isIn(Admission admission) {
        Contact member = admission.members().get(me.slot());
        return member != null && member.process().equals(me) && member.nonce() == nonce;
    }

    @Override
    public String toString() {
        return "pending, holds " + held.size();
    }
}
