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

    /**
     * F2: takes a goodbye, which brings the decision of Finalize as a DOWN message would. A process that is not
     * finalizing or leaving is fenced.
     */
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

    /**
     * F6: the launcher says that a process has ended after its goodbye. So this rank decides its Finalize alone; if it
     * has not called Finalize, it is fenced.
     */
    void onDeparted(ProcessId process, Outbox<ProcessId, ControlMessage> out) {
        losses.noteDeparted(process, out);
        if (departure.isFinalizing()) {
            communicators.known(departure.communicator()).decideAlone(departure.sequence(), out);
        } else {
            rank.fenceUnlessLeaving("process " + process + " has finalized before this process called Finalize");
        }
    }

    /**
     * F3: sends the goodbye to all processes that would otherwise take this rank's end for a failure. The decision was
     * sent before it, and so were the obituaries of the members that are marked failed here, those that the decision
     * lists included.
     */
    void send(ControlMessage.Goodbye goodbye, Membership membership, Outbox<ProcessId, ControlMessage> out) {
        SortedSet<ProcessId> talkedTo = new TreeSet<>(losses.ring().observers());
        talkedTo.addAll(rank.driver().peersWithSession());
        for (ProcessId peer : Departure.audience(rank.me(), membership, rank.failures(), talkedTo)) {
            out.send(peer, goodbye);
        }
    }
}
