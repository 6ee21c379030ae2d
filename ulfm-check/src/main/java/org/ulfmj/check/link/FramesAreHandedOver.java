package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/**
 * At rest, between processes that run and have not marked each other failed, every frame is delivered and acknowledged,
 * however many connections were lost, and no peer stays reported lost. A process that is leaving has ended.
 */
record FramesAreHandedOver(LinkWorld world) implements Invariant {
    @Override
    public String open() {
        for (Connection connection : world.connections()) {
            if (connection.inFlight() > 0) {
                return "something is on its way between " + connection.dialer().owner() + " and "
                        + connection.acceptor().owner();
            }
        }
        for (LinkHost host : world.hosts()) {
            if (!host.isRunning()) {
                continue;
            }
            if (host.isLeaving()) {
                return host + " leaves and does not end: " + host.links();
            }
            for (PeerLink link : host.links()) {
                // A peer that left before this process had called it does not run any more and cannot be reached.
                if (link.hasUndelivered() && world.isRunning(link.peer())) {
                    return link + " has not handed over its frames";
                }
            }
        }
        return null;
    }
}
