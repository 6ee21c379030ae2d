package org.ulfmj.agree;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/**
 * What a rank says when it leaves by Finalize, and what it does when another one has left ({@link Departure}).
 *
 * <p>Part of a {@link SurvivorCore}. Not thread-safe.
 */
final class Goodbyes {
    private final Survivor rank;
    private final Departure departure;
    private final Losses losses;
    private final Communicators communicators;

    Goodbyes(Survivor rank, Losses losses, Communicators communicators) {
        this.rank = rank;
        this.departure = rank.departure();
        this.losses = losses;
        this.communicators = communicators;
    }

    /** F2: a goodbye is the decision on another road. */
    void onGoodbye(ProcessId from, ControlMessage.Goodbye goodbye, Outbox<ProcessId, ControlMessage> out) {
        losses.noteDeparted(from, out);
        if (departure.isFinalizing()) {
            communicators
                    .known(departure.communicator())
                    .onDown(from.slot(), goodbye.sequence(), goodbye.decision(), out);
        } else {
            rank.fenceUnlessLeaving("process " + from + " has finalized before this process called Finalize");
        }
    }

    /** F6: the launcher answers for one that has ended after its goodbye. */
    void onDeparted(ProcessId process, Outbox<ProcessId, ControlMessage> out) {
        losses.noteDeparted(process, out);
        if (departure.isFinalizing()) {
            communicators.known(departure.communicator()).decideAlone(departure.sequence(), out);
        } else {
            rank.fenceUnlessLeaving("process " + process + " has finalized before this process called Finalize");
        }
    }

    /**
     * F3: the decision and the obituaries are sent (every obituary this rank knows went out when it was learnt, those
     * that the decision lists just now: a leaver must not take the only one with it); then the goodbye, to all who
     * could miss this rank.
     */
    void send(ControlMessage.Goodbye goodbye, Membership membership, Outbox<ProcessId, ControlMessage> out) {
        SortedSet<ProcessId> talkedTo = new TreeSet<>(losses.ring().observers());
        talkedTo.addAll(rank.driver().peersWithSession());
        for (ProcessId peer : Departure.audience(rank.me(), membership, rank.failures(), talkedTo)) {
            out.send(peer, goodbye);
        }
    }
}
