package org.ulfmj.check.link;

import org.ulfmj.sim.Invariant;

/**
 * Between processes that run and have not marked each other failed every frame is delivered and acknowledged, or the
 * break is reported. A process that leaves comes to its end.
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
                if (!link.session().isHandedOver() && !isHalfOpen(link)) {
                    return link + " has not handed over its frames";
                }
            }
        }
        return null;
    }

    /**
     * Whether the session's connection was cut and only the peer knows. No timer of the session notices that; the
     * heartbeats do.
     */
    private static boolean isHalfOpen(PeerLink link) {
        Connection.End adopted = link.session().adopted();
        return adopted != null && adopted.connection().isCut();
    }
}
