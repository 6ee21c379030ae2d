package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;

/**
 * A process that waits to be let into a running world (P6). It beats for any process that asks, because a survivor may
 * be in the next epoch already and observe it. Messages of agreements and most others are held, in the order of
 * arrival, until the newcomer is told which world it is in. So messages of that world neither get lost nor are taken
 * for messages of another world.
 */
final class Newcomer {
    private final ProcessId me;
    private final long nonce;
    private final List<HeldMessage> held = new ArrayList<>();

    Newcomer(ProcessId me, long nonce) {
        this.me = me;
        this.nonce = nonce;
    }

    void hold(ProcessId from, ControlMessage message) {
        held.add(new HeldMessage(from, message));
    }

    /** The messages that were held, in the order of arrival. */
    List<HeldMessage> held() {
        return held;
    }

    /**
     * Whether this process is a member of the admitted world, and not another process with the same slot, or even with
     * the same incarnation.
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
