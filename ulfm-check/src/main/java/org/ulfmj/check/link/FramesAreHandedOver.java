package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/**
 * At rest, in each session between processes that run, every frame is acknowledged and the peer is not reported lost,
 * unless the session takes no more frames. No process is still leaving, and nothing is on its way on a connection.
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
                // A peer that does not run any more cannot be reached.
                if (link.hasUndelivered() && world.isRunning(link.peer())) {
                    return link + " has not handed over its frames";
                }
            }
        }
        return null;
    }
}
