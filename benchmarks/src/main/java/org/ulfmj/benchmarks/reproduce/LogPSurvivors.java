package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/** A world of shipped survivor cores, one per live rank, over a LogP network. There are no heartbeats. */
final class LogPSurvivors {
    /** The id of COMM_WORLD. */
    static final long WORLD = 1;

    private static final Evidence KNOWN =
            new Evidence(Evidence.Kind.AGREED, ProcessId.of(0), "failed before the measurement");

    private static final Timing TIMING = Timing.fromTimeout(Timing.DEFAULT_DETECTOR_TIMEOUT_NS);

    private final Membership membership;
    private final double perListedRankNs;
    private final SurvivorCore[] cores;
    private final LogPWorld<ControlMessage> network;
    private final Outbox<ProcessId, ControlMessage> outbox;
    private final double[] returnedNs;
    private final SlotSet failed;
    private Decision decision;
    private int returned;

    /** A world without failures whose agreements travel over a binary heap. */
    LogPSurvivors(int ranks, Network costs) {
        this(ranks, costs, ListedRanks.NS_EACH, TreeShape.BINARY, SlotSet.EMPTY);
    }

    /**
     * A world in which some ranks have failed and all others know it.
     *
     * <p>They knew before they got the communicator, so the news takes no time here, and no process passes it on.
     *
     * @param perListedRankNs time at a receiver per rank that a message lists
     */
    LogPSurvivors(int ranks, Network costs, double perListedRankNs, TreeShape shape, SlotSet failed) {
        this.perListedRankNs = perListedRankNs;
        this.membership = Membership.initial(ranks);
        this.failed = failed;
        this.cores = new SurvivorCore[ranks];
        this.returnedNs = new double[ranks];
        this.network = new LogPWorld<>(ranks, costs, MessageSize::of, this::receive);
        this.outbox = (to, message) -> network.send(to.slot(), message);
        int[] dead = failed.toArray();
        for (int rank = 0; rank < ranks; rank++) {
            if (!failed.contains(rank)) {
                cores[rank] = new SurvivorCore(membership.process(rank), membership, TIMING, new Rank(rank), 0);
                for (int slot : dead) {
                    cores[rank].failures().markFailed(membership.process(slot), KNOWN, 0);
                }
                cores[rank].register(WORLD, membership.slots(), shape, 0, outbox);
            }
        }
    }

    /** The decision of the last call, the same at all ranks. */
    Decision decision() {
        return decision;
    }

    /** The network, with its counts of messages. */
    LogPWorld<ControlMessage> network() {
        return network;
    }

    /**
     * All live ranks make a call at the same time. Returns when the network is silent again.
     *
     * @return nanoseconds from the call until the last rank has returned
     */
    double call(Kind kind) {
        double startNs = network.run();
        returned = 0;
        decision = null;
        Contribution contribution = new Contribution(kind, -1, SlotSet.ALL);
        for (int rank = 0; rank < cores.length; rank++) {
            if (cores[rank] != null) {
                network.at(startNs, rank, caller -> cores[caller].enter(WORLD, contribution, nowNs(), outbox));
            }
        }
        network.run();
        if (returned != cores.length - failed.size()) {
            throw new IllegalStateException(
                    returned + " of " + (cores.length - failed.size()) + " returned from " + kind.callName());
        }
        double lastNs = 0;
        for (int rank = 0; rank < cores.length; rank++) {
            lastNs = Math.max(lastNs, cores[rank] == null ? 0 : returnedNs[rank]);
        }
        return lastNs - startNs;
    }

    private void receive(int rank, int from, ControlMessage message) {
        network.compute(perListedRankNs * ListedRanks.of(message));
        cores[rank].onMessage(membership.process(from), message, nowNs(), outbox);
    }

    private long nowNs() {
        return (long) network.nowNs();
    }

    /**
     * The effects of a rank's core. The only ones that may occur here are to return, with the same decision at all
     * ranks, and to learn of a failed process, which has no consequence.
     */
    private final class Rank extends DecisionsOnly {
        private final int rank;

        Rank(int rank) {
            this.rank = rank;
        }

        @Override
        public void decided(long communicator, long sequence, Decision made) {
            if (decision != null && !decision.equals(made)) {
                throw new IllegalStateException("rank " + rank + " decided " + made + ", others " + decision);
            }
            decision = made;
            returned++;
            returnedNs[rank] = network.nowNs();
        }

        @Override
        public void failed(ProcessId process, Evidence evidence) {
            // In a program this effect fails operations that wait for the failed process; there are none here.
        }
    }
}
