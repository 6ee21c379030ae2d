package org.ulfmj.agree;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.LiveMembers;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * Tells newcomers that they are members (P5). Each process that is in a membership epoch tells the newcomers of that
 * epoch that are its neighbours on the overlay. Whenever a death or a departure gives the process another newcomer as a
 * neighbour, it tells that one, too, until an agreement of the epoch is decided. A newcomer does the same once it was
 * told. If only one survivor told the newcomers, it could die before it has told all.
 *
 * <p>Welcomes spread like the events of a {@link org.ulfmj.detector.ReliableBroadcast}, but to newcomers only: a
 * welcome names all members, and members that were in the world before know it already. Not thread-safe.
 */
final class Welcomes {
    private final ProcessId me;
    private final FailureSet failures;
    private Membership membership;

    /** The welcome that this process sends to neighbours that are newcomers; null while no newcomer has to be told. */
    private ControlMessage.Welcome welcome;

    private SlotSet told = SlotSet.EMPTY;

    Welcomes(ProcessId me, FailureSet failures) {
        this.me = me;
        this.failures = failures;
    }

    /** Begins to spread a welcome, because the epoch of its world is in force here now. */
    void begin(ControlMessage.Welcome next, Membership inForce, Outbox<ProcessId, ControlMessage> out) {
        membership = inForce;
        welcome = next;
        told = SlotSet.of(me.slot());
        spread(out);
    }

    /** Ends the spreading: an agreement of the epoch is decided, so all its live members were told. */
    void end() {
        welcome = null;
    }

    /** Tells each newcomer that is a neighbour now and was not told by this process. */
    void spread(Outbox<ProcessId, ControlMessage> out) {
        if (welcome == null || told.containsAll(welcome.newcomers())) {
            return;
        }
        SlotRuns slots = membership.slots();
        LiveMembers live = LiveMembers.of(slots, failures.goneAmong(slots, membership));
        for (int place : BinomialGraph.neighbours(live.place(me.slot()), live.size())) {
            int slot = live.slot(place);
            if (welcome.newcomers().contains(slot) && !told.contains(slot)) {
                told = told.with(slot);
                out.send(membership.process(slot), welcome); // P5: every survivor tells its neighbours
            }
        }
    }
}
