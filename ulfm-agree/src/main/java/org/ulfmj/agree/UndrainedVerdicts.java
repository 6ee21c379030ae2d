package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;

/**
 * Messages of agreements that came too early: they list a process as failed that is still being drained here. Handled
 * at once, such a message would have the process marked before what had arrived from it is read, and that would be
 * lost. So the message waits until the process is drained, and later messages of its sender wait behind it, since
 * messages of one sender are handled in order. To the agreement the wait is a slow network.
 *
 * <p>Two kinds of messages do not wait. Those of the detector may overtake others. A goodbye is acted on before its
 * sender's end is noticed; what waits of its sender is handled just before it.
 */
final class UndrainedVerdicts {
    private final Losses losses;
    private final List<HeldMessage> held = new ArrayList<>(0);

    UndrainedVerdicts(Losses losses) {
        this.losses = losses;
    }

    /** Whether the message has to wait for a drain. If so, this method has stored it. */
    boolean holds(ProcessId from, ControlMessage message) {
        if (held.isEmpty() && !losses.isDraining()
                || message instanceof ControlMessage.Detector
                || message instanceof ControlMessage.Goodbye) {
            return false;
        }
        if (!holdsFrom(from) && !listsUndrained(message)) {
            return false;
        }
        held.add(new HeldMessage(from, message));
        return true;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    boolean holdsFrom(ProcessId from) {
        return hasFrom(from, held.size());
    }

    /** Takes out all messages of one sender, in order. */
    List<HeldMessage> takeFrom(ProcessId from) {
        List<HeldMessage> taken = new ArrayList<>(0);
        for (Iterator<HeldMessage> each = held.iterator(); each.hasNext(); ) {
            HeldMessage next = each.next();
            if (next.from().equals(from)) {
                each.remove();
                taken.add(next);
            }
        }
        return taken;
    }

    /** Takes out the first message that need not wait any more; null if there is none. */
    HeldMessage takeNext() {
        for (int i = 0; i < held.size(); i++) {
            HeldMessage next = held.get(i);
            if (!listsUndrained(next.message()) && !hasFrom(next.from(), i)) {
                return held.remove(i);
            }
        }
        return null;
    }

    private boolean hasFrom(ProcessId sender, int before) {
        for (int i = 0; i < before; i++) {
            if (held.get(i).from().equals(sender)) {
                return true;
            }
        }
        return false;
    }

    private boolean listsUndrained(ControlMessage message) {
        return message instanceof ControlMessage.OfAgreement verdict && losses.drainsAny(verdict.failed());
    }

    @Override
    public String toString() {
        return held.isEmpty() ? "" : " " + held.size() + " messages wait for drains";
    }
}
