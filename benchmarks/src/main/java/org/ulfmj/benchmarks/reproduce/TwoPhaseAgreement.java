package org.ulfmj.benchmarks.reproduce;

/**
 * The baseline of the published measurements, rebuilt from their description: an agreement in two phases over a binary
 * tree. Votes go up and the outcome goes down, then acknowledgements go up and the permission to return goes down.
 * Every rank looks at every member in each phase. The messages alone would take logarithmic time.
 *
 * <p>The model is favourable to the baseline: its tree has no gaps after any failure, and its ranks look at the members
 * in parallel.
 */
final class TwoPhaseAgreement {
    private enum Step {
        VOTE,
        OUTCOME,
        ACKNOWLEDGEMENT,
        RETURN
    }

    /**
     * The time to look at an entry of a table in memory and to act on it. The number is our choice: the publication
     * only says that the work is linear.
     */
    static final double PER_MEMBER_NS = 10;

    /** The length of a message that lists no process. */
    static final int BYTES = 64;

    private final int ranks;
    private final double lookNs;
    private final double listNs;
    private final LogPWorld<Step> network;
    private final int[] missing;
    private double lastNs;

    /**
     * @param ranks that take part
     * @param members that each rank looks at in each phase, the failed ones included
     * @param perMemberNs time per look at a member
     * @param failed ranks that each message lists
     * @param perListedRankNs time at a receiver per listed rank
     */
    TwoPhaseAgreement(int ranks, int members, double perMemberNs, int failed, double perListedRankNs, LogP costs) {
        this.ranks = ranks;
        this.lookNs = members * perMemberNs;
        this.listNs = perListedRankNs * failed;
        this.missing = new int[ranks];
        int bytes = BYTES + Integer.BYTES * failed;
        this.network = new LogPWorld<>(ranks, Network.uniform(costs), step -> bytes, this::receive);
    }

    /** The agreement among all members of a communicator, none of which failed. */
    static TwoPhaseAgreement of(int ranks, LogP costs) {
        return new TwoPhaseAgreement(ranks, ranks, PER_MEMBER_NS, 0, ListedRanks.NS_EACH, costs);
    }

    /** Nanoseconds from every process's call until the last one returns. */
    double latencyNs() {
        for (int rank = 0; rank < ranks; rank++) {
            network.at(0, rank, caller -> begin(caller, Step.VOTE));
        }
        network.run();
        return lastNs;
    }

    private void begin(int rank, Step upwards) {
        network.compute(lookNs);
        missing[rank] += children(rank);
        passUpIfComplete(rank, upwards);
    }

    private void receive(int rank, int from, Step step) {
        network.compute(listNs);
        switch (step) {
            case VOTE, ACKNOWLEDGEMENT -> {
                missing[rank]--;
                passUpIfComplete(rank, step);
            }
            default -> passDown(rank, step);
        }
    }

    private void passUpIfComplete(int rank, Step upwards) {
        if (missing[rank] != 0) {
            return;
        }
        if (rank > 0) {
            network.send((rank - 1) / 2, upwards);
        } else {
            passDown(0, upwards == Step.VOTE ? Step.OUTCOME : Step.RETURN);
        }
    }

    private void passDown(int rank, Step downwards) {
        for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; child++) {
            network.send(child, downwards);
        }
        if (downwards == Step.OUTCOME) {
            begin(rank, Step.ACKNOWLEDGEMENT);
        } else {
            lastNs = Math.max(lastNs, network.nowNs());
        }
    }

    private int children(int rank) {
        return Math.max(0, Math.min(2, ranks - (2 * rank + 1)));
    }
}
