package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.LogPWorld;
import org.ulfmj.benchmarks.reproduce.Network;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/**
 * The effect of a revocation on the collectives after it. All ranks wait in a collective of communicator A, which one
 * of them revokes. A rank that hears of the revocation passes it on and then runs collectives on communicator B, one
 * after the other. Meanwhile the copies of the revocation that bring no news still take time on the processors of the
 * ranks that receive them.
 *
 * <p>The collective is a dissemination: in round k a rank sends to the rank 2^k after it and waits for the rank 2^k
 * before it, as an allreduce of a minimum may do with any number of ranks.
 */
final class CollectivesAfterRevoke {
    private static final long COMMUNICATOR_A = 1;

    /** A message of a collective of communicator B. */
    private record Part(int collective, int round) {}

    private final int size;
    private final int rounds;
    private final int collectives;
    private final Membership membership;
    private final FailureSet failures = new FailureSet();
    private final List<Rank> ranks = new ArrayList<>();
    private final LogPWorld<Object> world;
    private final double[] totalNs;

    private CollectivesAfterRevoke(int size, int collectives, LogP costs) {
        this.size = size;
        this.rounds = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
        this.collectives = collectives;
        this.membership = Membership.initial(size);
        this.totalNs = new double[collectives];
        this.world = new LogPWorld<>(size, Network.uniform(costs), message -> 0, (to, from, message) -> ranks.get(to)
                .receive(message));
        for (int rank = 0; rank < size; rank++) {
            ranks.add(new Rank(rank));
        }
    }

    /** The mean time per rank in the first, second, … collective after a rank has revoked, in nanoseconds. */
    static double[] afterRevokeBy(int initiator, int size, int collectives, LogP costs) {
        CollectivesAfterRevoke run = new CollectivesAfterRevoke(size, collectives, costs);
        run.world.at(0, initiator, rank -> run.ranks.get(rank).receive(run.revocationBy(rank)));
        return run.meanTimes();
    }

    /**
     * Returns the mean time per rank in the first, second, … collective without a revocation: all ranks enter the first
     * collective at once.
     */
    static double[] undisturbed(int size, int collectives, LogP costs) {
        CollectivesAfterRevoke run = new CollectivesAfterRevoke(size, collectives, costs);
        for (int rank = 0; rank < size; rank++) {
            run.world.at(0, rank, entering -> run.ranks.get(entering).enterNext());
        }
        return run.meanTimes();
    }

    private ControlMessage.Revoke revocationBy(int initiator) {
        return new ControlMessage.Revoke(COMMUNICATOR_A, membership.epoch(), membership.slots(), initiator);
    }

    private double[] meanTimes() {
        world.run();
        double[] means = new double[collectives];
        for (int i = 0; i < collectives; i++) {
            means[i] = totalNs[i] / size;
        }
        for (Rank rank : ranks) {
            if (rank.collective != collectives) {
                throw new IllegalStateException("rank " + rank.me + " is still in collective " + rank.collective);
            }
        }
        return means;
    }

    private final class Rank {
        private final int me;
        private final ReliableBroadcast<ControlMessage.Revoke> revocations;
        private final boolean[][] arrived = new boolean[collectives][rounds];
        private int collective = -1;
        private int round;
        private double enteredNs;

        Rank(int me) {
            this.me = me;
            this.revocations = new ReliableBroadcast<>(new ProcessId(me, 0), membership, failures);
        }

        void receive(Object message) {
            if (message instanceof Part part) {
                arrived[part.collective()][part.round()] = true;
                advance();
            } else if (revocations.spread((ControlMessage.Revoke) message, (to, copy) -> world.send(to.slot(), copy))) {
                enterNext();
                advance();
            }
        }

        void enterNext() {
            collective++;
            round = 0;
            if (collective < collectives) {
                enteredNs = world.nowNs();
                sendRound();
            }
        }

        private void advance() {
            while (collective >= 0 && collective < collectives && arrived[collective][round]) {
                if (++round < rounds) {
                    sendRound();
                } else {
                    totalNs[collective] += world.nowNs() - enteredNs;
                    enterNext();
                }
            }
        }

        private void sendRound() {
            world.send((me + (1 << round)) % size, new Part(collective, round));
        }
    }
}
