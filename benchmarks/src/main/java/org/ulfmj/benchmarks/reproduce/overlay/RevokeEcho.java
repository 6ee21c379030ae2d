package org.ulfmj.benchmarks.reproduce.overlay;

import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.LogPWorld;
import org.ulfmj.benchmarks.reproduce.Network;

/**
 * A simulated revocation in which every copy is delivered. Each copy takes time at its receiver, also a copy that comes
 * after every member has heard of the revocation.
 */
final class RevokeEcho {
    private static final Object REVOKED = "revoked";

    private final int initiator;
    private final RevokeWave.Members members;
    private final LogPWorld<Object> world;
    private final boolean[] heard;
    private double lastHeardNs;
    private double quietNs;

    private RevokeEcho(int initiator, int size, RevokeWave.Members members, LogP costs) {
        this.initiator = initiator;
        this.members = members;
        this.world = new LogPWorld<>(size, Network.uniform(costs), message -> 0, (to, from, message) -> hear(to));
        this.heard = new boolean[size];
    }

    /** Lets one of {@code size} members revoke at time 0, and runs until no copy is on its way. */
    static RevokeEcho begunBy(int initiator, int size, RevokeWave.Members members, LogP costs) {
        RevokeEcho echo = new RevokeEcho(initiator, size, members, costs);
        echo.world.at(0, initiator, echo::hear);
        echo.quietNs = echo.world.run();
        return echo;
    }

    private void hear(int rank) {
        if (!heard[rank]) {
            heard[rank] = true;
            lastHeardNs = Math.max(lastHeardNs, world.nowNs());
            for (int to : members.onFirst(rank, initiator)) {
                world.send(to, REVOKED);
            }
        }
    }

    /** The latest of the times at which the members first heard of the revocation. */
    double lastNs() {
        return lastHeardNs;
    }

    /** When the last processor became idle. */
    double quietNs() {
        return quietNs;
    }

    long messages() {
        return world.messages();
    }
}
