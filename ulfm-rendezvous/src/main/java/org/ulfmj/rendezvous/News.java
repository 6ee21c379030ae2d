package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;

/**
 * What all members of a running world are told: deaths and departures, who waits to be admitted, where no process comes
 * any more. What is true for good is told again to any process that joins again, and to newcomers once they run. Not
 * thread-safe; part of the core.
 */
final class News {
    private final Roster roster;
    private final Incarnations incarnations;

    /** Deaths and departures in the order they were told. */
    private final List<RendezvousMessage> sticky = new ArrayList<>();

    News(Roster roster, Incarnations incarnations) {
        this.roster = roster;
        this.incarnations = incarnations;
    }

    /** Another world begins: its members know nothing yet. Slots may have been given up while it gathered. */
    void begin(RendezvousMessage.Final world, Outbox<Long, RendezvousMessage> out) {
        sticky.clear();
        tell(world, out);
        for (Seat seat : roster.holders()) {
            if (seat.isHere()) {
                tellOfGivenUp(seat, out);
            }
        }
    }

    /** Tells all members that run. */
    void tell(RendezvousMessage message, Outbox<Long, RendezvousMessage> out) {
        for (Seat seat : roster.holders()) {
            if (seat.running && seat.isHere()) {
                out.send(seat.nonce(), message);
            }
        }
    }

    /** A death or a departure. */
    void tellForGood(RendezvousMessage end, Outbox<Long, RendezvousMessage> out) {
        sticky.add(end);
        tell(end, out);
    }

    /** All that was told so far, to one. */
    void tellAgain(Seat seat, Outbox<Long, RendezvousMessage> out) {
        for (RendezvousMessage news : sticky) {
            out.send(seat.nonce(), news);
        }
        for (Seat newcomer : roster.waiting()) {
            if (newcomer.announced) {
                out.send(seat.nonce(), new RendezvousMessage.Pending(newcomer.member));
            }
        }
        tellOfGivenUp(seat, out);
    }

    private void tellOfGivenUp(Seat seat, Outbox<Long, RendezvousMessage> out) {
        for (int slot = 0; slot < incarnations.size(); slot++) {
            if (incarnations.noMore(slot) != null) {
                out.send(seat.nonce(), new RendezvousMessage.NoMore(slot, incarnations.noMore(slot)));
            }
        }
    }

    /** V11: a newcomer never displaces an older process of its slot; it is offered once that one has ended. */
    void announce(Seat seat, Outbox<Long, RendezvousMessage> out) {
        if (!seat.announced && !roster.hasOlder(seat)) {
            seat.announced = true;
            tell(new RendezvousMessage.Pending(seat.member), out);
            for (Seat other : othersWaiting(seat)) {
                out.send(other.nonce(), new RendezvousMessage.Pending(seat.member));
            }
            tellOfOthers(seat, out);
        }
    }

    /**
     * P6: newcomers hear of each other, for it may be one of them that lets the other in, before its own word that it
     * was let in has come here.
     */
    void tellOfOthers(Seat seat, Outbox<Long, RendezvousMessage> out) {
        for (Seat other : othersWaiting(seat)) {
            out.send(seat.nonce(), new RendezvousMessage.Pending(other.member));
        }
    }

    private List<Seat> othersWaiting(Seat seat) {
        List<Seat> others = roster.waiting();
        others.removeIf(
                other -> !other.announced || other.id().slot() == seat.id().slot());
        return others;
    }
}
