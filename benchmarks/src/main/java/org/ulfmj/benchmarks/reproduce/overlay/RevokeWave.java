package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Arrays;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.LogPWorld;
import org.ulfmj.benchmarks.reproduce.Network;

/**
 * The way of a revocation through a communicator: when each member first hears of it. A member that first hears of it
 * sends all its messages before it does anything else, and drops every further copy. So a copy that would come to a
 * member no sooner than one that was sent to it before is charged to its sender and counted, but not delivered; nor is
 * any copy to the initiator.
 */
final class RevokeWave {
    /** The messages of the members. */
    interface Members {
        /**
         * The ranks to which {@code rank} sends, in order, when it first hears of the revocation by {@code initiator}.
         */
        int[] onFirst(int rank, int initiator);
    }

    /** The only message. It has no contents. */
    private static final Object REVOKED = "revoked";

    private final Members members;
    private final int initiator;
    private final LogP costs;
    private final LogPWorld<Object> world;

    /** Per member, when the soonest of the copies sent to it so far arrives; infinite if none; 0 for the initiator. */
    private final double[] dueNs;

    /** Per member, when it received the first copy or, as the initiator, revoked; infinite before that. */
    private final double[] heardNs;

    private long messages;

    private RevokeWave(int size, int initiator, Members members, LogP costs) {
        this.members = members;
        this.initiator = initiator;
        this.costs = costs;
        this.world = new LogPWorld<>(size, Network.uniform(costs), message -> 0, (to, from, message) -> pass(to));
        this.dueNs = new double[size];
        this.heardNs = new double[size];
        Arrays.fill(dueNs, Double.POSITIVE_INFINITY);
        Arrays.fill(heardNs, Double.POSITIVE_INFINITY);
    }

    /** Lets one of {@code size} members revoke at time 0, and runs until no delivered copy is on its way. */
    static RevokeWave begunBy(int initiator, int size, Members members, LogP costs) {
        RevokeWave wave = new RevokeWave(size, initiator, members, costs);
        wave.dueNs[initiator] = 0;
        wave.world.at(0, initiator, wave::pass);
        wave.world.run();
        return wave;
    }

    /** Lets the rank that runs pass the revocation on, unless it has passed it on before. */
    private void pass(int rank) {
        if (heardNs[rank] < Double.POSITIVE_INFINITY) {
            return;
        }
        heardNs[rank] = world.nowNs();
        for (int to : members.onFirst(rank, initiator)) {
            messages++;
            double receivedNs = world.nowNs() + costs.hopNs();
            if (receivedNs < dueNs[to]) {
                dueNs[to] = receivedNs;
                world.send(to, REVOKED);
            } else {
                world.compute(costs.overheadNs());
            }
        }
    }

    /** The time at which the last member heard of the revocation. Throws if not every member did. */
    double lastNs() {
        double last = 0;
        for (double heard : heardNs) {
            if (heard == Double.POSITIVE_INFINITY) {
                throw new IllegalStateException("the revocation did not reach every rank");
            }
            last = Math.max(last, heard);
        }
        return last;
    }

    /** The number of all messages, also of those that brought no news. */
    long messages() {
        return messages;
    }
}
