package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * What all members of a running world are told: deaths, departures and processes that count as failed, the newcomers
 * that wait to be admitted, and the slots for which no process comes any more. A member that connects again, and a
 * newcomer once it runs, are told all that still holds. Not thread-safe; part of the core.
 */
final class News {
    private final Roster roster;
    private final Incarnations incarnations;

    /** The deaths, departures and losses that this world's members were told of so far, in the order of telling. */
    private final List<RendezvousMessage> sticky = new ArrayList<>();

    News(Roster roster, Incarnations incarnations) {
        this.roster = roster;
        this.incarnations = incarnations;
    }

    /**
     * Begins a new world, whose members have been told nothing yet, and tells them that it runs. They are also told the
     * slots for which no process comes any more, which may have been given up during the gathering.
     */
    void begin(RendezvousMessage.Final world, Outbox<Long, RendezvousMessage> out) {
        sticky.clear();
        tell(world, out);
        for (Seat seat : roster.holders()) {
            if (seat.isHere()) {
                tellOfGivenUp(seat, out);
            }
        }
    }

    void writeImage(WireWriter out) {
        out.putInt(sticky.size());
        for (RendezvousMessage message : sticky) {
            CoreImage.putMaybe(out, message);
        }
    }

    void readImage(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, 1, "messages");
        for (int i = 0; i < count; i++) {
            sticky.add(CoreImage.getMaybeMessage(in));
        }
    }

    /** Sends a message to every member that is known to run, has not ended or left, and was not refused. */
    void tell(RendezvousMessage message, Outbox<Long, RendezvousMessage> out) {
        for (Seat seat : roster.holders()) {
            if (seat.running && seat.isHere() && !seat.hasLeft) {
                out.send(seat.nonce(), message);
            }
        }
    }

    /**
     * Tells every running member of a death, a departure, or a process that counts as failed. Members that run later,
     * or connect again, are told too.
     */
    void tellForGood(RendezvousMessage end, Outbox<Long, RendezvousMessage> out) {
        sticky.add(end);
        tell(end, out);
    }

    /** Tells one member of all deaths, departures, losses, announced newcomers that wait, and given-up slots. */
    void tellAgain(Seat seat, Outbox<Long, RendezvousMessage> out) {
        for (RendezvousMessage news : sticky) {
            out.send(seat.nonce(), news);
        }
        for (Seat newcomer : roster.waiting()) {
            if (newcomer.announced) {
                out.send(seat.nonce(), callOf(newcomer));
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

    /**
     * Announces a waiting newcomer to the members, unless that was done. In a static world the newcomer and the
     * announced newcomers of other slots are also told of each other. V11: only once every older process of its slot
     * has ended. V10, G11: not while an elastic world is full, where it is a spare; and not if it is a process without
     * a slot that is to end itself, or was lost with its host.
     */
    void announce(Seat seat, Outbox<Long, RendezvousMessage> out) {
        boolean isToEnd = seat.joiner != null && seat.fence != null;
        if (!seat.announced && !roster.hasOlder(seat) && !roster.isFull() && !isToEnd) {
            seat.announced = true;
            tell(callOf(seat), out);
            for (Seat other : othersWaiting(seat)) {
                out.send(other.nonce(), new RendezvousMessage.Pending(seat.member));
            }
            tellOfOthers(seat, out);
        }
    }

    /**
     * P6: tells a newcomer of a static world of the announced newcomers of other slots. One of them may be admitted
     * first and then admit this one, before the core has heard that it was admitted.
     */
    void tellOfOthers(Seat seat, Outbox<Long, RendezvousMessage> out) {
        for (Seat other : othersWaiting(seat)) {
            out.send(seat.nonce(), new RendezvousMessage.Pending(other.member));
        }
    }

    private static RendezvousMessage callOf(Seat newcomer) {
        return newcomer.joiner == null
                ? new RendezvousMessage.Pending(newcomer.member)
                : new RendezvousMessage.Waiting(newcomer.joiner);
    }

    private List<Seat> othersWaiting(Seat seat) {
        if (seat.joiner != null) {
            // G4: in an elastic world the members' decision contains the addresses of those whom they admit. So
            // newcomers need not know each other.
            return List.of();
        }
        List<Seat> others = roster.waiting();
        others.removeIf(
                other -> !other.announced || other.id().slot() == seat.id().slot());
        return others;
    }
}
