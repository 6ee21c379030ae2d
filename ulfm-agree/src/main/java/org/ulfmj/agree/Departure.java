package org.ulfmj.agree;

/**
 * How far this rank is with Finalize. Finalize is one agreement in the sequence of COMM_WORLD, and then a goodbye that
 * carries the decision, so that whoever is still undecided decides at the first goodbye it hears, from anybody: the
 * decision exists only because every live rank had called. So nobody waits for anybody's leaving, and a leaver owes
 * nothing once its goodbyes are handed over.
 *
 * <p>The rules F1 to F8 are carried out by {@link SurvivorCore}; this is the state that they read.
 */
final class Departure {
    /** Where a rank is between its start and its end. */
    enum Phase {
        /** Has not called Finalize, or called it while another rank called something else. */
        IN,
        /** Has called and waits for the decision. */
        FINALIZING,
        /** Has decided: it answers, beats, and fences itself no more. */
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

    /** F1: this rank calls Finalize, as the given agreement. */
    void enter(long world, long nextSequence) {
        if (phase != Phase.IN) {
            throw new IllegalStateException("Finalize called while " + phase);
        }
        phase = Phase.FINALIZING;
        communicator = world;
        sequence = nextSequence;
    }

    /** F8: whether the decision of this agreement lets the rank go; one of mixed kinds leaves it where it was. */
    boolean decide(long ofCommunicator, long ofSequence, Decision decision) {
        if (phase != Phase.FINALIZING || ofCommunicator != communicator || ofSequence != sequence) {
            return false;
        }
        boolean leaves = decision.isOnly(Kind.FINALIZE);
        phase = leaves ? Phase.LEAVING : Phase.IN;
        return leaves;
    }
}
