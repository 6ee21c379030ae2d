package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/**
 * Between processes that run and have not marked each other failed every frame is delivered and acknowledged, however
 * many connections are lost, and no peer stays reported lost. A process that leaves comes to its end.
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
                // A process that left before the other one had called cannot be reached any more.
                if (link.hasUndelivered() && world.isRunning(link.peer())) {
                    return link + " has not handed over its frames";
                }
            }
        }
        return null;
    }
}
