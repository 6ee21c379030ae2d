package org.ulfmj.agree;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.LiveMembers;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/**
 * How far this rank is with Finalize. Finalize is one agreement in the sequence of COMM_WORLD, and then a goodbye that
 * carries the decision. A process that has called Finalize and is still undecided decides at the first goodbye that it
 * hears: a decision exists only because every live rank had called Finalize. So no process waits until another one
 * leaves, and a leaver owes nothing once its goodbyes are handed over.
 *
 * <p>The rules F1 to F8 are carried out by the parts of a {@link SurvivorCore}, over the state in this class.
 */
final class Departure {
    /** The phases of a rank from its start to its end, as Finalize sees them. */
    enum Phase {
        /** The rank has not called Finalize, or its Finalize was decided as a mix with other calls of other ranks. */
        IN,
        /** The rank has called Finalize and waits for the decision. */
        FINALIZING,
        /**
         * The rank has decided Finalize. It still answers messages and sends heartbeats, but does not fence itself any
         * more.
         */
        LEAVING
    }

    private Phase phase = Phase.IN;
    private long communicator;
    private long sequence;

    Phase phase() {
        return phase;
    }

    boolean isLeaving() {
        return phase == Phase.LEAVING;
    }

    boolean isFinalizing() {
        return phase == Phase.FINALIZING;
    }

    /** The communicator in whose sequence this rank finalizes. */
    long communicator() {
        return communicator;
    }

    long sequence() {
        return sequence;
    }

    /**
     * F1: notes that this rank calls Finalize. Finalize is the agreement with this number on this communicator of all
     * members.
     */
    void enter(long world, long nextSequence) {
        if (phase != Phase.IN) {
            throw new IllegalStateException("Finalize called while " + phase);
        }
        phase = Phase.FINALIZING;
        communicator = world;
        sequence = nextSequence;
    }

    /**
     * F8: whether the decision of this agreement lets the rank leave. After a decision of mixed kinds the rank is where
     * it was before it called.
     */
    boolean decide(long ofCommunicator, long ofSequence, Decision decision) {
        if (phase != Phase.FINALIZING || ofCommunicator != communicator || ofSequence != sequence) {
            return false;
        }
        boolean leaves = decision.isOnly(Kind.FINALIZE);
        phase = leaves ? Phase.LEAVING : Phase.IN;
        return leaves;
    }

    /**
     * The processes that are told goodbye. These are the neighbours in the overlay, from which the news reaches every
     * process in the end, and all processes that this rank has talked to, which would otherwise take its end for a
     * failure. No process that failed or has departed is among them.
     */
    static SortedSet<ProcessId> audience(
            ProcessId me, Membership membership, FailureSet failures, SortedSet<ProcessId> talkedTo) {
        SortedSet<ProcessId> audience = new TreeSet<>();
        for (ProcessId peer : talkedTo) {
            if (!failures.isGone(peer)) {
                audience.add(peer);
            }
        }
        LiveMembers live = LiveMembers.of(membership.slots(), failures.goneAmong(membership.slots(), membership));
        for (int place : BinomialGraph.neighbours(live.place(me.slot()), live.size())) {
            audience.add(membership.process(live.slot(place)));
        }
        audience.remove(me);
        return audience;
    }
}
