package org.ulfmj.check.rendezvous.hosts;

import org.ulfmj.sim.Simulation;

/** The faults that hit hosts, their agents, their ranks, the paths between them, and the launcher. */
record HostsFaults(Simulation world, HostsJob job) {
    /**
     * Breaks the path between two hosts, unless one direction of it is broken already.
     *
     * @param bothWays whether both directions break, or only that from the first host to the other
     * @param forNs how long the path stays broken; 0 for good
     */
    void cut(int one, int other, boolean bothWays, long forNs) {
        job.links.cut(one, other, bothWays);
        if (forNs > 0) {
            world.faultAt(world.nowNs() + forNs, () -> {
                job.links.heal(one, other);
                job.reconnect(Math.max(one, other));
            });
        }
    }

    void crash(HostedRank rank) {
        rank.isHurt = true;
        rank.end();
    }

    /**
     * Stops a rank, as by SIGSTOP.
     *
     * @param forNs how long the rank is stopped; 0 for good
     */
    void stop(HostedRank rank, long forNs) {
        rank.isHurt = true;
        rank.stop();
        if (forNs > 0) {
            world.faultAt(world.nowNs() + forNs, rank::goOn);
        }
    }

    /** Ends the agent of a host. Has no effect on the launcher's own host, where the launcher is the agent. */
    void endAgent(int host) {
        if (host > 0 && job.agent(host).isUp) {
            job.ranks().stream().filter(rank -> rank.host == host).forEach(rank -> rank.isHurt = true);
            job.endAgent(job.agent(host));
        }
    }

    void powerOff(int host) {
        if (host > 0) {
            job.powerOff(host);
        }
    }

    /** A timer fires early: a rank complains of another rank, of which it may have received heartbeats all the time. */
    void early(HostedRank rank, HostedRank other) {
        if (rank != other && rank.runs()) {
            rank.suspect(other.id);
        }
    }

    void endLauncher(long forNs) {
        if (job.hasLauncher && forNs == 0) {
            job.endLauncher();
        }
    }
}
