package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Arrays;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.LogPWorld;
import org.ulfmj.benchmarks.reproduce.Network;

/**
 * A revocation's way through a communicator: when each member hears of it first. Any process that does sends all its
 * messages before it does anything else, and drops every further copy: so a copy that comes no sooner than one already
 * on its way is charged to its sender, counted, and not looked at.
 */
final class RevokeWave {
    /** What the members send. */
    interface Members {
        /** To whom {@code rank} sends, in order, when it hears of the revocation by {@code initiator} first. */
        int[] onFirst(int rank, int initiator);
    }

    /** The only message; it says nothing but that it came. */
    private static final Object REVOKED = "revoked";

    private final Members members;
    private final int initiator;
    private final LogP costs;
    private final LogPWorld<Object> world;

    /** When the soonest copy that is on its way is due. */
    private final double[] dueNs;

    /** When it was received. */
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

    /** Lets one member of {@code size} revoke at time 0. */
    static RevokeWave begunBy(int initiator, int size, Members members, LogP costs) {
        RevokeWave wave = new RevokeWave(size, initiator, members, costs);
        wave.dueNs[initiator] = 0;
        wave.world.at(0, initiator, wave::pass);
        wave.world.run();
        return wave;
    }

    /** The rank that runs passes the revocation on, unless what it received was overtaken. */
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

    /** When the last member heard of it. */
    double lastNs() {
        double last = 0;
        for (double heard : heardNs) {
            if (heard == Double.POSITIVE_INFINITY) {
                throw new IllegalStateException("the revocation did not reach everybody");
            }
            last = Math.max(last, heard);
        }
        return last;
    }

    /** All messages, also those that told no process anything new. */
    long messages() {
        return messages;
    }
}
